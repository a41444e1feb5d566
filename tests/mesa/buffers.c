// Mesa's OpenGL driver for Direct3D 12 on this library: a context without a window, copies between buffer objects, a
// texture that is uploaded and read back. All of it is checked; a word on standard output for each step.
//
// Run by tests/mesa/run. The first argument, where there is one, is the last step to do.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *step, const char *what) {
    printf("FAILED %s: %s (EGL 0x%x, GL 0x%x)\n", step, what, eglGetError(), glGetError());
    exit(1);
}

static void expect(int condition, const char *step, const char *what) {
    if (!condition) fail(step, what);
}

static uint8_t *pattern(size_t size, uint8_t seed) {
    uint8_t *bytes = malloc(size);
    for (size_t i = 0; i < size; ++i) bytes[i] = (uint8_t)(i * 31 + (i >> 8) * 7 + seed);
    return bytes;
}

static void context(void) {
    const char *step = "context";
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    expect(get_display != NULL, step, "no eglGetPlatformDisplayEXT");
    EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    expect(display != EGL_NO_DISPLAY, step, "no surfaceless display");
    expect(eglInitialize(display, NULL, NULL), step, "eglInitialize");
    expect(eglBindAPI(EGL_OPENGL_ES_API), step, "eglBindAPI");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    expect(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1, step, "eglChooseConfig");
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLContext made = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    expect(made != EGL_NO_CONTEXT, step, "eglCreateContext");
    expect(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made), step, "eglMakeCurrent");
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    printf("context: %s; %s\n", renderer, (const char *)glGetString(GL_VERSION));
    expect(strstr(renderer, "D3D12") != NULL, step, "it is not the Direct3D 12 driver");
}

static void buffers(void) {
    const char *step = "buffers";
    enum { SIZE = 100000 };
    uint8_t *bytes = pattern(SIZE, 3);
    GLuint names[2];
    glGenBuffers(2, names);
    glBindBuffer(GL_COPY_READ_BUFFER, names[0]);
    glBufferData(GL_COPY_READ_BUFFER, SIZE, bytes, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, names[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, SIZE, NULL, GL_STATIC_READ);
    // The whole, then a part of it onto another.
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, SIZE);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 1024, 65536, 4096);
    const uint8_t *back = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, SIZE, GL_MAP_READ_BIT);
    expect(back != NULL, step, "glMapBufferRange");
    memcpy(bytes + 65536, pattern(SIZE, 3) + 1024, 4096);
    expect(memcmp(back, bytes, SIZE) == 0, step, "the bytes differ");
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    glDeleteBuffers(2, names);
    expect(glGetError() == GL_NO_ERROR, step, "an error");
    printf("buffers: copied %d bytes\n", SIZE);
}

static void textures(void) {
    const char *step = "textures";
    enum { WIDTH = 64, HEIGHT = 32, SIZE = WIDTH * HEIGHT * 4 };
    uint8_t *texels = pattern(SIZE, 9);
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    expect(glCheckFramebufferStatus(GL_READ_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, step, "framebuffer");
    uint8_t *back = calloc(1, SIZE);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, back);
    expect(glGetError() == GL_NO_ERROR, step, "an error");
    expect(memcmp(back, texels, SIZE) == 0, step, "the texels differ");
    printf("textures: %d x %d texels uploaded and read back\n", WIDTH, HEIGHT);
}

static void clears(void) {
    const char *step = "clears";
    enum { SIDE = 16 };
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    uint8_t back[SIDE * SIDE * 4];
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, back);
    expect(glGetError() == GL_NO_ERROR, step, "an error");
    for (int i = 0; i < SIDE * SIDE; ++i) {
        expect(back[i * 4] == 255 && back[i * 4 + 1] == 0 && back[i * 4 + 2] == 255, step, "another colour");
    }
    printf("clears: %d x %d texels\n", SIDE, SIDE);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } steps[] = {{"context", context}, {"buffers", buffers}, {"textures", textures}, {"clears", clears}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        steps[i].run();
        if (argc > 1 && strcmp(argv[1], steps[i].name) == 0) break;
    }
    // A context whose objects are not deleted lets go of the device all the same.
    glFinish();
    printf("done\n");
    return 0;
}
