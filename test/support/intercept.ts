/** Wraps an object so that every method call goes through `handle`, even if it is frozen or a class with private fields. */
export function intercept<T extends object>(
  base: T,
  handle: (method: string, work: () => unknown, args: readonly unknown[]) => unknown,
): T {
  return new Proxy({} as T, {
    get(_, key) {
      const real = Reflect.get(base, key)
      if (typeof real !== 'function' || typeof key === 'symbol') return real
      return (...args: readonly unknown[]) => handle(key, () => real.apply(base, args), args)
    },
  })
}

/** Wraps an object with some methods replaced. */
export function overlay<T extends object>(base: T, methods: Partial<T>): T {
  return intercept(base, (method, work, args) => {
    const other = Reflect.get(methods, method)
    return typeof other === 'function' ? other(...args) : work()
  })
}
