/** A call as somebody types it on the Explain page. */
export interface TypedCall {
  readonly form: CallForm
  readonly command: string
  readonly tool: string
  readonly fields: readonly Field[]
  readonly json: string
}

export type CallForm = 'command' | 'tool' | 'json'

/** One argument of a tool. */
export interface Field {
  readonly name: string
  readonly value: string
}

/** The call to explain, or what is missing. */
export function readTypedCall({ form, command, tool, fields, json }: TypedCall): { readonly call: unknown } | string {
  switch (form) {
    case 'command':
      if (command.trim() === '') return 'type a command'
      return { call: { tool: 'execute_command', args: { command } } }
    case 'tool': {
      if (tool.trim() === '') return 'type the name of a tool'
      const named = fields.filter(({ name }) => name.trim() !== '')
      const unnamed = fields.find(({ name, value }) => name.trim() === '' && value !== '')
      if (unnamed !== undefined) return `name the field with the value \`${unnamed.value.slice(0, 40)}\``
      const args = Object.fromEntries(named.map(({ name, value }) => [name.trim(), typedValue(value)]))
      return { call: { tool: toolOf(tool.trim()), args } }
    }
    case 'json':
      try {
        return { call: JSON.parse(json) }
      } catch {
        return 'not valid JSON'
      }
  }
}

/** `server/name` is a tool of a server. */
function toolOf(label: string): unknown {
  const slash = label.indexOf('/')
  return slash < 1 ? label : { server: label.slice(0, slash), name: label.slice(slash + 1) }
}

/** Numbers, `true`, lists and objects as JSON; anything else is text. */
function typedValue(text: string): unknown {
  if (!/^\s*(?:-?\d|true\b|false\b|null\b|[[{"])/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
