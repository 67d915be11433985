/** The same object with some methods replaced, also where it is a class with private parts. */
export function overlay<T extends object>(base: T, methods: Partial<T>): T {
  return new Proxy(base, {
    get(target, key) {
      if (key in methods) return Reflect.get(methods, key)
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
