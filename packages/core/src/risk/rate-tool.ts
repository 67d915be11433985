import type { FrozenCall } from '../call/call.ts'
import { finding, type RiskFinding } from './finding.ts'
import { riskRank } from './level.ts'
import { useOfKind } from './path-uses.ts'
import { ratePath } from './rate-path.ts'
import { type LocatedPath, locate, type RiskCircumstances } from './rated-path.ts'
import { rateSql } from './sql.ts'
import { rateName } from './tool-name.ts'

/** Locates the paths a call that is no command names. */
export function callPaths(call: FrozenCall, now: RiskCircumstances): readonly LocatedPath[] {
  return (call.descriptor.paths ?? []).map((given, at) => {
    const use = useOfKind(call.descriptor.kind, at)
    return locate({ given, lookup: given, glob: false, use, soft: false }, '', call.cwd, now)
  })
}

/** Rates a call that is no command: by its kind, its paths, its name, and what its server says of it. */
export function rateTool(
  call: FrozenCall,
  paths: readonly LocatedPath[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const found: RiskFinding[] = [rateKind(call)]
  for (const path of paths) {
    const one = ratePath(path, now.places)
    if (one !== null) found.push(one)
  }
  const { source } = call.descriptor
  if (source === 'nobody') found.push(finding('medium', 'tool.undescribed', 'nobody described this tool', 'unknown'))
  if (source === 'nobody' || source === 'guessed') {
    const level = rateName(call.tool.name)
    if (level !== 'none') found.push(finding(level, 'tool.name', 'the tool’s name says that it changes something'))
  }
  return found
}

function rateKind(call: FrozenCall): RiskFinding {
  const { kind, paths, sql } = call.descriptor
  const named = paths !== undefined && paths.length > 0
  switch (kind) {
    case 'read':
      return finding('none', 'tool.read', 'only reads')
    case 'write':
      return named
        ? finding('medium', 'tool.write', 'writes')
        : finding('high', 'tool.write-unknown', 'writes to a place that is not known')
    case 'delete':
      return named
        ? rateDeletion(paths)
        : finding('high', 'tool.delete-unknown', 'deletes something that is not known', 'no')
    case 'move':
      return finding(named ? 'medium' : 'high', 'tool.move', 'moves or renames')
    case 'execute':
      return finding('high', 'tool.execute', 'runs something that is not shown', 'unknown')
    case 'fetch':
      return rateFetch(call)
    case 'query':
      return sql === undefined ? finding('medium', 'tool.query', 'queries a store') : rateSql(sql)
    case 'send':
      return finding('high', 'tool.send', 'sends something to others', 'no')
    case 'other':
      return finding('medium', 'tool.other', 'what it does is not known', 'unknown')
  }
}

function rateDeletion(paths: readonly string[]): RiskFinding {
  const folder = paths.some((path) => path.endsWith('/') || !/\.[^./]+$/.test(path))
  if (paths.length > 1 || folder) return finding('high', 'tool.delete-many', 'deletes a folder or several files', 'no')
  return finding('medium', 'tool.delete', 'deletes a file')
}

const PRIVATE = /^(?:169\.254\.|metadata\.google\.internal$|100\.100\.100\.200$)/

function rateFetch(call: FrozenCall): RiskFinding {
  const method = call.args['method']
  const verb = typeof method === 'string' ? method.toUpperCase() : 'GET'
  if (verb === 'DELETE' || verb === 'PUT')
    return finding('high', 'network.change', 'changes or deletes something on a server')
  if (verb !== 'GET' && verb !== 'HEAD' && verb !== 'OPTIONS')
    return finding('medium', 'network.send', 'sends data to a server')
  const host = hostOf(call.descriptor.url ?? '')
  if (host === null) return finding('medium', 'network.fetch-unknown', 'asks an address that is not known')
  if (PRIVATE.test(host))
    return finding('high', 'network.metadata', 'asks the cloud’s metadata service, which hands out credentials', 'no')
  return finding('low', 'network.fetch', 'fetches from the network')
}

function hostOf(url: string): string | null {
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.hostname : null
  } catch {
    return null
  }
}

/** What an MCP server says of its tool may only raise; silence counts as the worst it could mean. */
export function rateAnnotations(call: FrozenCall, rated: readonly RiskFinding[]): RiskFinding | null {
  const hints = call.annotations
  if (hints?.destructiveHint === true && hints.readOnlyHint !== true)
    return finding('high', 'tool.destructive', 'its server says that it destroys')
  if (hints?.readOnlyHint === false && call.descriptor.kind === 'read')
    return finding('medium', 'tool.not-read-only', 'its server says that it does more than read')
  if (call.source !== 'mcp' || hints?.readOnlyHint === true) return null
  const reads = call.descriptor.kind === 'read' && rated.every((one) => riskRank(one.level) <= riskRank('low'))
  return reads ? null : finding('medium', 'tool.unannotated', 'its server does not say what it does')
}
