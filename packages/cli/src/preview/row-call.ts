import { resolve } from 'node:path'
import { type Annotations, type Call, CountersignError, isJsonObject } from '@countersign/core'

type Row = Readonly<Record<string, unknown>>

/** A call from one line of JSON: `{command}`, or `{tool, server?, annotations?, args}`; either with a `workspace`. */
export function rowCall(row: Row, workspace: string): Call {
  const { command, args, annotations } = row
  const tool = row['tool'] ?? undefined
  const cwd = resolve(workspace, text(row, 'workspace') ?? '.')
  if (tool === undefined) {
    const words = Array.isArray(command) && command.every((word) => typeof word === 'string')
    if (typeof command !== 'string' && !words)
      throw new CountersignError('CS_USAGE', 'the line has neither `command` nor `tool`; give one of them')
    return { tool: 'exec', source: 'builtin', args: { command }, cwd }
  }
  if (command !== undefined && command !== null)
    throw new CountersignError('CS_USAGE', 'the line has both `command` and `tool`; give one of them')
  const name = text(row, 'tool') ?? ''
  const on = text(row, 'server')
  return {
    tool: {
      name,
      ...(on === undefined ? {} : { server: on }),
      ...(isJsonObject(annotations) ? { annotations: annotations as Annotations } : {}),
    },
    ...(on === undefined ? {} : { source: 'mcp' }),
    args: args ?? {},
    cwd,
  }
}

function text(row: Row, name: string): string | undefined {
  const value = row[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new CountersignError('CS_USAGE', `\`${name}\` is no text; write it in quotes`)
}
