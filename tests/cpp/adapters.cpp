// DXGI and DXCore: adapters, their identity and memory, budgets and their notifications.
#include "check.h"

namespace {

Ref<IDXGIFactory4> new_factory() {
    Ref<IDXGIFactory4> factory;
    CHECK_OK(CreateDXGIFactory2(0, iid_of<IDXGIFactory4>(), factory.void_out()));
    return factory;
}

Ref<IDXCoreAdapterFactory> new_core_factory() {
    Ref<IDXCoreAdapterFactory> factory;
    CHECK_OK(DXCoreCreateAdapterFactory(iid_of<IDXCoreAdapterFactory>(), factory.void_out()));
    return factory;
}

Ref<IDXCoreAdapterList> graphics_adapters(IDXCoreAdapterFactory *factory) {
    Ref<IDXCoreAdapterList> list;
    CHECK_OK(factory->CreateAdapterList(1, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS, iid_of<IDXCoreAdapterList>(),
                                        list.void_out()));
    return list;
}

bool operator==(const LUID &a, const LUID &b) { return a.LowPart == b.LowPart && a.HighPart == b.HighPart; }

} // namespace

TEST(dxgi_factories) {
    for (const IID &iid : {iid_of<IDXGIObject>(), iid_of<IDXGIFactory>(), iid_of<IDXGIFactory1>(), iid_of<IDXGIFactory2>(),
                           iid_of<IDXGIFactory3>(), iid_of<IDXGIFactory4>()}) {
        Ref<IUnknown> factory;
        CHECK_OK(CreateDXGIFactory1(iid, factory.void_out()));
        Ref<IDXGIFactory4> same = query<IDXGIFactory4>(factory.get());
        CHECK(query<IUnknown>(same.get()).get() == query<IUnknown>(factory.get()).get());
    }
    void *wrong = &wrong;
    CHECK_HR(CreateDXGIFactory(iid_of<ID3D12Device>(), &wrong), E_NOINTERFACE);
    CHECK(wrong == nullptr);
    Ref<IDXGIFactory4> factory = new_factory();
    CHECK_EQ(factory->IsCurrent(), TRUE);
    CHECK_EQ(factory->GetCreationFlags(), 0u);
    Ref<IDXGIAdapter> warp;
    CHECK_HR(factory->EnumWarpAdapter(iid_of<IDXGIAdapter>(), warp.void_out()), DXGI_ERROR_NOT_FOUND);
}

TEST(dxgi_adapters) {
    Ref<IDXGIFactory4> factory = new_factory();
    Ref<IDXGIAdapter1> adapter;
    CHECK_OK(factory->EnumAdapters1(0, adapter.out()));
    DXGI_ADAPTER_DESC1 desc = {};
    CHECK_OK(adapter->GetDesc1(&desc));
    CHECK(std::wstring(desc.Description) == L"Heapstone Discrete 8G");
    CHECK_EQ(desc.VendorId, 0x1af4u);
    CHECK_EQ(desc.DedicatedVideoMemory, static_cast<SIZE_T>(8) << 30);
    CHECK_EQ(desc.SharedSystemMemory, static_cast<SIZE_T>(16) << 30);
    CHECK_EQ(desc.Flags, 0u);
    Ref<IDXGIAdapter2> second = query<IDXGIAdapter2>(adapter.get());
    DXGI_ADAPTER_DESC2 desc2 = {};
    CHECK_OK(second->GetDesc2(&desc2));
    CHECK(desc2.AdapterLuid == desc.AdapterLuid);
    Ref<IDXGIAdapter> by_luid;
    CHECK_OK(factory->EnumAdapterByLuid(desc.AdapterLuid, iid_of<IDXGIAdapter>(), by_luid.void_out()));
    const LUID nobody = {0xFFFFFFFF, 0x7FFFFFFF};
    CHECK_HR(factory->EnumAdapterByLuid(nobody, iid_of<IDXGIAdapter>(), by_luid.void_out()), DXGI_ERROR_NOT_FOUND);
    Ref<IDXGIFactory> parent;
    CHECK_OK(adapter->GetParent(iid_of<IDXGIFactory>(), parent.void_out()));
    CHECK(query<IUnknown>(parent.get()).get() == query<IUnknown>(factory.get()).get());
    IDXGIOutput *output = nullptr;
    CHECK_HR(adapter->EnumOutputs(0, &output), DXGI_ERROR_NOT_FOUND);
    Ref<IDXGIAdapter1> beyond;
    CHECK_HR(factory->EnumAdapters1(64, beyond.out()), DXGI_ERROR_NOT_FOUND);
    CHECK_HR(factory->EnumAdapters1(0, nullptr), DXGI_ERROR_INVALID_CALL);
    CHECK_HR(adapter->GetDesc1(nullptr), E_INVALIDARG);
}

TEST(dxgi_reservations_and_notifications) {
    Ref<IDXGIFactory4> factory = new_factory();
    Ref<IDXGIAdapter3> adapter;
    {
        Ref<IDXGIAdapter1> first;
        CHECK_OK(factory->EnumAdapters1(0, first.out()));
        adapter = query<IDXGIAdapter3>(first.get());
    }
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    CHECK_OK(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
    CHECK_EQ(info.CurrentReservation, 0u);
    CHECK_OK(adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 1u << 20));
    CHECK_OK(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
    CHECK_EQ(info.CurrentReservation, 1u << 20);
    CHECK_HR(adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, info.AvailableForReservation + 1),
             E_INVALIDARG);
    CHECK_OK(adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 0));
    CHECK_HR(adapter->QueryVideoMemoryInfo(7, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info), E_INVALIDARG);
    CHECK_HR(adapter->QueryVideoMemoryInfo(0, static_cast<DXGI_MEMORY_SEGMENT_GROUP>(2), &info), E_INVALIDARG);
    CHECK_HR(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, nullptr), E_INVALIDARG);

    EventFd event;
    DWORD cookie = 0;
    CHECK_OK(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(event.handle(), &cookie));
    CHECK(cookie != 0);
    CHECK(!event.wait(0));
    // The library's own function brings about what a busy machine would.
    CHECK_OK(HeapstoneSetVideoMemoryBudget(adapter.get(), 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 1u << 30));
    CHECK(event.wait(1000));
    CHECK_OK(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
    CHECK_EQ(info.Budget, 1u << 30);
    CHECK_OK(HeapstoneSetVideoMemoryBudget(adapter.get(), 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, UINT64_MAX));
    CHECK(event.wait(1000));
    adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
    adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
    CHECK_HR(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(nullptr, &cookie), DXGI_ERROR_INVALID_CALL);
}

TEST(dxgi_two_processes_share_a_budget_only_while_both_live) {
    // Devices of one process on one adapter are one object, so that they share budget and usage, as natively.
    Ref<ID3D12Device> first = new_device(), second = new_device();
    CHECK(first.get() == second.get());
}

TEST(dxcore_adapters) {
    Ref<IDXCoreAdapterFactory> factory = new_core_factory();
    Ref<IDXCoreAdapterList> list = graphics_adapters(factory.get());
    CHECK(list->GetAdapterCount() >= 1);
    CHECK(!list->IsStale());
    Ref<IDXCoreAdapter> adapter;
    CHECK_OK(list->GetAdapter(0, iid_of<IDXCoreAdapter>(), adapter.void_out()));
    CHECK(adapter->IsValid());
    CHECK(adapter->IsAttributeSupported(DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS));
    CHECK(adapter->IsAttributeSupported(DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE));
    CHECK(!adapter->IsAttributeSupported(DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS));
    LUID luid = {};
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::InstanceLuid, &luid));
    Ref<IDXCoreAdapter> again;
    CHECK_OK(factory->GetAdapterByLuid(luid, iid_of<IDXCoreAdapter>(), again.void_out()));
    CHECK(again.get() == adapter.get());
    size_t size = 0;
    CHECK_OK(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size));
    std::string text(size, ' ');
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size, text.data()));
    CHECK(text == std::string("Heapstone Discrete 8G") + '\0');
    CHECK_HR(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size - 1, text.data()), E_INVALIDARG);
    uint64_t bytes = 0;
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::DedicatedAdapterMemory, &bytes));
    CHECK_EQ(bytes, 8ull << 30);
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::SharedSystemMemory, &bytes));
    CHECK_EQ(bytes, 16ull << 30);
    bool flag = false;
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::IsHardware, &flag));
    CHECK(flag);
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::IsIntegrated, &flag));
    CHECK(!flag);
    DXCoreHardwareID id = {};
    CHECK_OK(adapter->GetProperty(DXCoreAdapterProperty::HardwareID, &id));
    CHECK_EQ(id.vendorID, 0x1af4u);
    CHECK(!adapter->IsPropertySupported(static_cast<DXCoreAdapterProperty>(99)));
    CHECK_HR(adapter->GetProperty(static_cast<DXCoreAdapterProperty>(99), 8, &bytes), DXGI_ERROR_INVALID_CALL);
    Ref<IDXCoreAdapterFactory> parent;
    CHECK_OK(adapter->GetFactory(iid_of<IDXCoreAdapterFactory>(), parent.void_out()));
    CHECK(parent.get() == factory.get());
    CHECK_HR(list->GetAdapter(64, iid_of<IDXCoreAdapter>(), again.void_out()), E_INVALIDARG);
    Ref<IDXCoreAdapterList> none;
    CHECK_OK(factory->CreateAdapterList(1, &DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS, iid_of<IDXCoreAdapterList>(),
                                        none.void_out()));
    CHECK_EQ(none->GetAdapterCount(), 0u);
}

TEST(dxcore_memory_budget) {
    Ref<IDXCoreAdapterFactory> factory = new_core_factory();
    Ref<IDXCoreAdapterList> list = graphics_adapters(factory.get());
    Ref<IDXCoreAdapter> adapter;
    CHECK_OK(list->GetAdapter(0, iid_of<IDXCoreAdapter>(), adapter.void_out()));
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    CHECK(adapter->IsQueryStateSupported(DXCoreAdapterState::AdapterMemoryBudget));
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {0, DXCoreSegmentGroup::Local};
    DXCoreAdapterMemoryBudget before = {}, with = {};
    CHECK_OK(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &group, &before));
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(1u << 20, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_OK(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &group, &with));
    CHECK(before.budget > 0);
    CHECK_EQ(with.currentUsage, before.currentUsage + (1u << 20));
    CHECK(!adapter->IsSetStateSupported(DXCoreAdapterState::AdapterMemoryBudget));
}

TEST(dxcore_sorting_and_notifications) {
    Ref<IDXCoreAdapterFactory> factory = new_core_factory();
    Ref<IDXCoreAdapterList> list = graphics_adapters(factory.get());
    const DXCoreAdapterPreference preferences[] = {DXCoreAdapterPreference::Hardware,
                                                   DXCoreAdapterPreference::HighPerformance};
    CHECK(list->IsAdapterPreferenceSupported(DXCoreAdapterPreference::Hardware));
    CHECK_OK(list->Sort(2, preferences));
    CHECK(factory->IsNotificationTypeSupported(DXCoreNotificationType::AdapterBudgetChange));
    CHECK(!factory->IsNotificationTypeSupported(static_cast<DXCoreNotificationType>(9)));
    Ref<IDXCoreAdapter> adapter;
    CHECK_OK(list->GetAdapter(0, iid_of<IDXCoreAdapter>(), adapter.void_out()));
    auto nothing = [](DXCoreNotificationType, IUnknown *, void *) {};
    uint32_t cookie = 0;
    CHECK_OK(factory->RegisterEventNotification(adapter.get(), DXCoreNotificationType::AdapterBudgetChange, nothing,
                                                nullptr, &cookie));
    CHECK(cookie != 0);
    CHECK_OK(factory->UnregisterEventNotification(cookie));
    CHECK_HR(factory->UnregisterEventNotification(cookie), E_INVALIDARG);
}
