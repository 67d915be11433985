/** A copy of an SDK's tool with some members replaced. Hidden members and getters, which SDKs use for their own notes, stay. */
export function copiedTool<Tool extends object>(tool: Tool, members: Readonly<Record<string, unknown>>): Tool {
  const copy: Tool = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool))
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}
