/** Names for keys that decided: where two have the same name, each with the beginning of its own id. */
export function approverNames(
  ids: readonly string[],
  nameOf: (id: string) => string,
): readonly (readonly [id: string, name: string])[] {
  const named = ids.map((id) => [id, nameOf(id)] as const)
  return named.map(([id, name]) => {
    const isAlone = named.filter(([, other]) => other === name).length === 1
    return [id, isAlone ? name : `${name} (${id.slice(0, 8)})`] as const
  })
}
