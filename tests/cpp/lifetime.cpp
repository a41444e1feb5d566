// ID3D12LifetimeTracker: a resource that stays when its client lets go of it, until its owner destroys it.
#include "check.h"

#include <directx/d3d12compatibility.h>

#include <atomic>

namespace {

constexpr IID COMPATIBILITY_DEVICE = {0x8f1c0e3c, 0xfae3, 0x4a82, {0xb0, 0x98, 0xbf, 0xe1, 0x70, 0x82, 0x07, 0xff}};

// Gives its resource out again and again, as a swap chain does with its buffers.
class Owner : public ID3D12LifetimeOwner {
public:
    virtual ~Owner() = default;
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void **object) override {
        if (!object) return E_POINTER;
        const bool known = riid == iid_of<IUnknown>() || riid == iid_of<ID3D12LifetimeOwner>();
        *object = known ? this : nullptr;
        if (!known) return E_NOINTERFACE;
        AddRef();
        return S_OK;
    }
    ULONG STDMETHODCALLTYPE AddRef() override { return ++count; }
    ULONG STDMETHODCALLTYPE Release() override { return --count; }
    void STDMETHODCALLTYPE LifetimeStateUpdated(D3D12_LIFETIME_STATE state) override {
        last = state;
        ++calls;
    }

    std::atomic<ULONG> count = 1;
    std::atomic<int> calls = 0;
    std::atomic<D3D12_LIFETIME_STATE> last = D3D12_LIFETIME_STATE_IN_USE;
};

} // namespace

TEST(lifetime_of_a_buffer_that_comes_again) {
    Ref<ID3D12Device> device = new_device();
    const ULONG alone = references(device.get());
    Owner owner;
    {
        Ref<ID3D12LifetimeTracker> tracker;
        CHECK_OK(query<ID3D12Device5>(device.get())
                     ->CreateLifetimeTracker(&owner, iid_of<ID3D12LifetimeTracker>(), tracker.void_out()));
        Ref<ID3D12CompatibilityDevice> compatibility;
        CHECK_OK(device->QueryInterface(COMPATIBILITY_DEVICE, compatibility.void_out()));
        const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
        const D3D12_RESOURCE_DESC desc = texture_desc(64, 64, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
        const D3D11_RESOURCE_FLAGS flags = {};
        Ref<ID3D12Resource> buffer;
        CHECK_OK(compatibility->CreateSharedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, &flags,
                                                     D3D12_COMPATIBILITY_SHARED_FLAG_NON_NT_HANDLE, tracker.get(), nullptr,
                                                     iid_of<ID3D12Resource>(), buffer.void_out()));
        CHECK_HR(tracker->DestroyOwnedObject(buffer.get()), E_INVALIDARG);
        CHECK_OK(buffer->SetName(L"a buffer"));
        ID3D12Resource *const known = buffer.get();
        for (int frame = 0; frame < 3; ++frame) {
            buffer.reset();
            CHECK_EQ(owner.last.load(), D3D12_LIFETIME_STATE_NOT_IN_USE);
            CHECK_OK(known->QueryInterface(iid_of<ID3D12Resource>(), buffer.void_out()));
            CHECK_EQ(owner.last.load(), D3D12_LIFETIME_STATE_IN_USE);
            CHECK_EQ(buffer->GetDesc().Width, 64u);
        }
        CHECK_EQ(owner.calls.load(), 6);
        wchar_t name[16] = {};
        UINT size = sizeof name;
        CHECK_OK(buffer->GetPrivateData(WKPDID_D3DDebugObjectNameW, &size, name));
        CHECK(std::wstring(name) == L"a buffer");
        buffer.reset();
        CHECK_OK(tracker->DestroyOwnedObject(known));
        CHECK_EQ(owner.calls.load(), 7);
    }
    CHECK_EQ(owner.count.load(), 1u);
    CHECK_EQ(references(device.get()), alone);
}
