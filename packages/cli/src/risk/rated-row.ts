import { hash } from 'node:crypto'
import {
  type Annotations,
  type AssessedCall,
  assessCall,
  type Call,
  CountersignError,
  type Places,
  type ReadKnowledge,
} from '@countersign/core'

type Row = Readonly<Record<string, unknown>>

/** Default folders for rows without a workspace, so that a row is rated the same on every machine. */
const HOME = `/home/${'user'}`
const NOMINAL: Places = { workspace: `${HOME}/project`, home: HOME, gate: `${HOME}/.countersign`, temp: '/tmp' }

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }

/** Rates one call without reading any file. */
export function assess(call: Call, places: Places, own?: ReadKnowledge['knowledge']): AssessedCall {
  return assessCall(call, places, crypto, own)
}

/** Rates one JSON line: `{command}` or `{tool, server?, annotations?, args}`, optionally with `workspace` and `home`. */
export function rateRow(row: Row): object {
  const home = folder(row, 'home') ?? NOMINAL.home
  const places = {
    ...NOMINAL,
    home,
    gate: `${home}/.countersign`,
    workspace: folder(row, 'workspace') ?? NOMINAL.workspace,
  }
  const { level, reversible, magnitude, target, reasons } = assess(callOf(row), places).risk
  return {
    level,
    reversible,
    magnitude,
    target,
    reasons: reasons.map(({ text, span }) => (span === undefined ? { text } : { text, span })),
  }
}

/** Reads a call from a JSON object. */
export function callOf(row: Row): Call {
  const { command, annotations } = row
  const tool = row['tool'] ?? undefined
  const args = row['args'] ?? {}
  if (tool === undefined) {
    if (typeof command !== 'string') throw usage('missing `command` or `tool`')
    return { tool: 'bash', source: 'builtin', args: { command }, description: { kind: 'execute', command } }
  }
  if (command !== undefined && command !== null) throw usage('both `command` and `tool` are set; keep one')
  if (typeof tool !== 'string') throw usage('`tool` must be a string')
  if (typeof args !== 'object' || Array.isArray(args)) throw usage('`args` must be a JSON object')
  const server = row['server'] ?? undefined
  if (server !== undefined && typeof server !== 'string') throw usage('`server` must be a string')
  const hints =
    typeof annotations === 'object' && annotations !== null ? { annotations: annotations as Annotations } : {}
  return {
    tool: { name: tool, ...(server === undefined ? {} : { server }), ...hints },
    source: server === undefined ? 'builtin' : 'mcp',
    args,
  }
}

function folder(row: Row, name: string): string | undefined {
  const value = row[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.startsWith('/')) return value.length > 1 ? value.replace(/\/+$/, '') : value
  throw usage(`\`${name}\` must be an absolute path`)
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}
