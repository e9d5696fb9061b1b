// A graphics card that is none: a device of torch (PrivateUse1) whose memory is that of the
// processor, and whose operations are done there, but that refuses what a card refuses: tensors of
// two devices in one operation, and a generator of another device.  See README.md.
#include <torch/extension.h>
#include <torch/library.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ops/as_strided_cpu_dispatch.h>
#include <ATen/ops/view_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/native/Resize.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/GeneratorImpl.h>

using at::Tensor;
constexpr auto PU1 = c10::DeviceType::PrivateUse1;

struct CardAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t n) override {
    void* p = n ? malloc(n) : nullptr;
    return {p, p, &free_, c10::Device(PU1, 0)};
  }
  static void free_(void* p) { free(p); }
  c10::DeleterFnPtr raw_deleter() const override { return &free_; }
  void copy_data(void* d, const void* s, std::size_t n) const override { memcpy(d, s, n); }
};
static CardAllocator alloc;
REGISTER_ALLOCATOR(PU1, &alloc);

struct Guard final : public c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType static_type = PU1;
  Guard() {} Guard(c10::DeviceType) {}
  c10::DeviceType type() const override { return PU1; }
  c10::Device exchangeDevice(c10::Device) const override { return {PU1, 0}; }
  c10::Device getDevice() const override { return {PU1, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device d) const override { return c10::Stream(c10::Stream::DEFAULT, d); }
  c10::Stream exchangeStream(c10::Stream s) const override { return c10::Stream(c10::Stream::DEFAULT, s.device()); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void record(void**, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void*, const c10::DeviceIndex) const noexcept override {}
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
};
namespace c10::impl { C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard); }

struct CardGenerator : public at::CPUGeneratorImpl {
  CardGenerator() : at::CPUGeneratorImpl(c10::detail::getNonDeterministicRandom()) { device_ = c10::Device(PU1, 0); key_set_ = c10::DispatchKeySet(c10::DispatchKey::PrivateUse1); }
};
static at::Generator as_cpu(const std::optional<at::Generator>& g) { // same state, shared object needed: use and copy back
  auto cpu = at::detail::createCPUGenerator();
  if (g && g->defined()) cpu.set_state(g->get_state());
  return cpu;
}
struct Hooks : public at::PrivateUse1HooksInterface {
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override { static auto g = at::make_generator<CardGenerator>(); return g; }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return at::make_generator<CardGenerator>(); }
  at::Device getDeviceFromPtr(void*) const override { return {PU1, 0}; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  void init() const override {}
  void resizePrivateUse1Bytes(const c10::Storage& s, size_t n) const override {
    auto old = s.nbytes(); auto p = alloc.allocate(n);
    if (old && n) memcpy(p.get(), s.data(), std::min(old, n));
    s.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(p)); s.unsafeGetStorageImpl()->set_nbytes(n);
  }
};
static bool hooked = [] { at::RegisterPrivateUse1HooksInterface(new Hooks()); return true; }();

Tensor empty(c10::IntArrayRef size, std::optional<c10::ScalarType> d, std::optional<c10::Layout>, std::optional<c10::Device>, std::optional<bool>, std::optional<c10::MemoryFormat> m) {
  return at::detail::empty_generic(size, &alloc, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), c10::dtype_or_default(d), m);
}
Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> d, std::optional<c10::Layout>, std::optional<c10::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, &alloc, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), c10::dtype_or_default(d));
}
static Tensor alias_cpu(const Tensor& t) { // a CPU tensor on the same memory
  if (t.device().is_cpu()) return t;
  auto base = at::from_blob(const_cast<void*>(t.storage().data()), {(int64_t)(t.storage().nbytes() / t.itemsize())}, t.options().device(at::kCPU).requires_grad(false));
  return base.as_strided(t.sizes(), t.strides(), t.storage_offset());
}
Tensor copy_from(const Tensor& self, const Tensor& dst, bool) { c10::InferenceMode g; auto d = alias_cpu(dst); d.copy_(alias_cpu(self)); return dst; }
Tensor copy_from_and_resize(const Tensor& self, const Tensor& dst) { if (dst.sizes() != self.sizes()) dst.resize_(self.sizes()); return copy_from(self, dst, false); }
at::Scalar local_scalar(const Tensor& self) { c10::InferenceMode g; return alias_cpu(self).item(); }
Tensor& set_storage(Tensor& r, c10::Storage s, int64_t o, c10::IntArrayRef size, c10::IntArrayRef stride) { return at::native::set_storage_cpu_(r, s, o, size, stride); }
Tensor as_strided(const Tensor& s, c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<int64_t> o) { return at::cpu::as_strided(s, size, stride, o); }
Tensor view(const Tensor& s, c10::IntArrayRef size) { return at::native::view(s, size); }
Tensor reshape_alias(const Tensor& s, c10::IntArrayRef size, c10::IntArrayRef stride) { return at::native::_reshape_alias(s, size, stride); }
Tensor unfold(const Tensor& s, int64_t a, int64_t b, int64_t c) { return at::native::unfold(s, a, b, c); }
const Tensor& resize_(const Tensor& s, c10::SymIntArrayRef size, std::optional<c10::MemoryFormat> m) {
  auto z = C10_AS_INTARRAYREF_SLOW(size); int64_t n = c10::multiply_integers(z);
  size_t bytes = n * s.itemsize();
  if (s.storage().nbytes() < bytes) Hooks().resizePrivateUse1Bytes(s.storage(), bytes);
  s.unsafeGetTensorImpl()->set_sizes_contiguous(z); return s;
}
template <class F> static Tensor& random_fill(Tensor& self, std::optional<at::Generator> g, F f) {
  c10::InferenceMode guard; auto cpu = as_cpu(g ? g : std::optional<at::Generator>(at::globalContext().defaultGenerator(c10::Device(PU1,0))));
  auto a = alias_cpu(self); auto t = at::empty(self.sizes(), a.options()); f(t, cpu); a.copy_(t);
  auto gen = g && g->defined() ? *g : at::globalContext().defaultGenerator(c10::Device(PU1,0));
  gen.set_state(cpu.get_state()); return self;
}
Tensor& normal_(Tensor& s, double m, double d, std::optional<at::Generator> g) { if (g) TORCH_CHECK(g->device().type() == PU1, "Expected a 'card' generator"); return random_fill(s, g, [&](Tensor& t, at::Generator& c) { t.normal_(m, d, c); }); }
Tensor& uniform_(Tensor& s, double a, double b, std::optional<at::Generator> g) { if (g) TORCH_CHECK(g->device().type() == PU1, "Expected a 'card' generator"); return random_fill(s, g, [&](Tensor& t, at::Generator& c) { t.uniform_(a, b, c); }); }
Tensor& random_from_to(Tensor& s, int64_t a, std::optional<int64_t> b, std::optional<at::Generator> g) { if (g) TORCH_CHECK(g->device().type() == PU1, "Expected a 'card' generator"); return random_fill(s, g, [&](Tensor& t, at::Generator& c) { t.random_(a, b, c); }); }
Tensor& random_to(Tensor& s, int64_t b, std::optional<at::Generator> g) { return random_from_to(s, 0, b, g); }

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  auto n = op.schema().arguments().size(); bool card = false, other = false;
  auto name = op.schema().name();
  auto look = [&](const Tensor& t) { if (!t.defined()) return; if (t.device().type() == PU1) card = true; else if (t.dim() > 0) other = true; };
  auto args = torch::jit::last(stack, n);
  for (const auto& v : args) { if (v.isTensor()) look(v.toTensor()); else if (v.isTensorList()) for (const auto& t : v.toTensorVector()) look(t); else if (v.isOptionalTensorList()) { if (name.find("index") == std::string::npos) for (const std::optional<Tensor>& t : v.toOptionalTensorList()) if (t) look(*t); } }
  TORCH_CHECK(!(card && other), "Expected all tensors to be on the same device (", name, ")");
  for (const auto& v : args) if (v.isGenerator()) TORCH_CHECK(false, "random op by fallback: ", name);
  at::native::cpu_fallback(op, stack);
}
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", empty); m.impl("empty_strided", empty_strided);
  m.impl("_copy_from", copy_from); m.impl("_copy_from_and_resize", copy_from_and_resize);
  m.impl("_local_scalar_dense", local_scalar); m.impl("set_.source_Storage_storage_offset", set_storage);
  m.impl("as_strided", as_strided); m.impl("view", view); m.impl("_reshape_alias", reshape_alias); m.impl("unfold", unfold);
  m.impl("resize_", resize_);
  m.impl("normal_", normal_); m.impl("uniform_", uniform_); m.impl("random_.from", random_from_to); m.impl("random_.to", random_to);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
