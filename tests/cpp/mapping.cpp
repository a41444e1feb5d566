// Map, Unmap, WriteToSubresource, ReadFromSubresource (facts/behaviour.md, Map, Write, Read).
#include "check.h"

namespace {

Ref<ID3D12Resource> cpu_visible_texture(ID3D12Device *device, D3D12_RESOURCE_DESC desc) {
    D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_CUSTOM);
    properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
    properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                             nullptr, iid_of<ID3D12Resource>(), texture.void_out()));
    return texture;
}

} // namespace

TEST(mapping_keeps_bytes) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 100000);
    const std::vector<uint8_t> bytes = pattern(100000, 7);
    write_buffer(buffer.get(), bytes);
    CHECK(read_buffer(buffer.get(), bytes.size()) == bytes);
    // The same pointer every time, and maps nest.
    void *first = nullptr, *second = nullptr;
    CHECK_OK(buffer->Map(0, nullptr, &first));
    CHECK_OK(buffer->Map(0, nullptr, &second));
    CHECK(first == second);
    buffer->Unmap(0, nullptr);
    static_cast<uint8_t *>(first)[99999] = 3;
    buffer->Unmap(0, nullptr);
}

TEST(mapping_refusals_leave_the_output_alone) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> local = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    void *data = &data;
    CHECK_HR(local->Map(0, nullptr, &data), E_INVALIDARG);
    CHECK(data == &data);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 64);
    CHECK_HR(upload->Map(1, nullptr, &data), E_INVALIDARG);
    CHECK(data == &data);
    CHECK_OK(upload->Map(0, nullptr, nullptr));
    upload->Unmap(17, nullptr);
    upload->Unmap(0, nullptr);
}

TEST(mapping_of_opaque_textures_gives_no_pointer) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> texture = cpu_visible_texture(device.get(), texture_desc(32, 32));
    CHECK_OK(texture->Map(0, nullptr, nullptr));
    texture->Unmap(0, nullptr);
    void *data = nullptr;
    CHECK_HR(texture->Map(0, nullptr, &data), E_INVALIDARG);
}

TEST(mapping_writes_and_reads_subresources) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> texture = cpu_visible_texture(device.get(), texture_desc(33, 17));
    const std::vector<uint8_t> texels = pattern(33 * 17 * 4, 5);
    CHECK_OK(texture->Map(0, nullptr, nullptr));
    CHECK_OK(texture->WriteToSubresource(0, nullptr, texels.data(), 33 * 4, 33 * 17 * 4));
    std::vector<uint8_t> back(texels.size());
    CHECK_OK(texture->ReadFromSubresource(back.data(), 33 * 4, 33 * 17 * 4, 0, nullptr));
    CHECK(back == texels);
    // One texel of the far corner; an empty box there; a box that is not inside.
    const D3D12_BOX corner = {32, 16, 0, 33, 17, 1}, empty = {33, 17, 1, 33, 17, 1}, outside = {32, 16, 0, 34, 17, 1};
    uint8_t texel[4] = {};
    CHECK_OK(texture->ReadFromSubresource(texel, 4, 4, 0, &corner));
    CHECK(std::memcmp(texel, texels.data() + texels.size() - 4, 4) == 0);
    CHECK_OK(texture->ReadFromSubresource(texel, 4, 4, 0, &empty));
    CHECK_HR(texture->ReadFromSubresource(back.data(), 8, 8, 0, &outside), E_INVALIDARG);
    texture->Unmap(0, nullptr);
}

TEST(mapping_buffers_have_no_subresource_to_write) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 64);
    uint8_t bytes[64] = {};
    CHECK_HR(upload->WriteToSubresource(0, nullptr, bytes, 64, 64), E_INVALIDARG);
    CHECK_HR(upload->ReadFromSubresource(bytes, 64, 64, 0, nullptr), E_INVALIDARG);
}

// Map with NULL succeeds on opaque 3D textures of one mip, not of several.
TEST(mapping_of_3d_textures) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(16, 16);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    desc.DepthOrArraySize = 4;
    Ref<ID3D12Resource> volume = cpu_visible_texture(device.get(), desc);
    CHECK_OK(volume->Map(0, nullptr, nullptr));
    volume->Unmap(0, nullptr);
    desc.MipLevels = 3;
    Ref<ID3D12Resource> mipped = cpu_visible_texture(device.get(), desc);
    CHECK_HR(mipped->Map(0, nullptr, nullptr), E_INVALIDARG);
}

// Boxes of block-compressed textures are block-aligned, and inside.
TEST(mapping_boxes_of_blocks) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> texture = cpu_visible_texture(device.get(), texture_desc(16, 16, DXGI_FORMAT_BC1_UNORM));
    CHECK_OK(texture->Map(0, nullptr, nullptr));
    const std::vector<uint8_t> blocks = pattern(4 * 4 * 8, 6);
    CHECK_OK(texture->WriteToSubresource(0, nullptr, blocks.data(), 32, 128));
    uint8_t block[8] = {};
    const D3D12_BOX inner = {4, 8, 0, 8, 12, 1}, unaligned = {2, 8, 0, 8, 12, 1}, cut = {4, 8, 0, 7, 12, 1}, outside = {12, 12, 0, 20, 16, 1};
    CHECK_OK(texture->ReadFromSubresource(block, 8, 8, 0, &inner));
    CHECK(std::memcmp(block, blocks.data() + 2 * 32 + 8, 8) == 0);
    uint8_t more[64] = {};
    for (const D3D12_BOX *box : {&unaligned, &cut, &outside}) {
        CHECK_HR(texture->ReadFromSubresource(more, 16, 64, 0, box), E_INVALIDARG);
        CHECK_HR(texture->WriteToSubresource(0, box, more, 16, 64), E_INVALIDARG);
    }
    texture->Unmap(0, nullptr);
}
