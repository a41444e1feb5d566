#error "the example has its own"
