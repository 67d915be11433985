import { CountersignError, type JsonObject } from '@countersign/core'
import * as z from 'zod'
import type { AgentTool, ToolRun } from './agent-tool.ts'

/** A built-in tool; one schema serves the model and the check. */
export interface BuiltinTool<Input extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: Input
  readonly containable?: boolean
  readonly asksOutside?: (args: JsonObject) => boolean
  run(args: z.output<Input>, run: ToolRun): Promise<string>
}

/**
 * Defines an agent tool. Core’s table of known tools describes its calls by the same argument names; unknown arguments
 * are refused, so that none is judged without meaning.
 */
export function defineTool<Input extends z.ZodObject>(tool: BuiltinTool<Input>): AgentTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input) as JsonObject
  return {
    name: tool.name,
    description: tool.description,
    inputSchema,
    source: 'builtin',
    ...(tool.containable === undefined ? {} : { containable: tool.containable }),
    ...(tool.asksOutside === undefined ? {} : { asksOutside: tool.asksOutside }),
    async run(args, run) {
      const read = tool.input.safeParse(args)
      if (!read.success) throw new CountersignError('CS_CALL_ARGS', argumentProblem(tool.name, read.error))
      run.signal.throwIfAborted()
      return tool.run(read.data, run)
    },
  }
}

function argumentProblem(name: string, { issues }: z.ZodError): string {
  const [issue] = issues
  const where = issue?.path.join('.') ?? ''
  const what = (issue?.message ?? 'wrong').replace(/^(Invalid input|Unrecognized key)/, (text) => text.toLowerCase())
  return `\`${name}\` cannot use these arguments${where === '' ? '' : ` (\`${where}\`)`}: ${what}`
}
