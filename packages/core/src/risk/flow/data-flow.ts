import type { CommandPart } from '../../command/model/decomposition.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import type { RecipeRow } from '../../knowledge/commands.ts'
import { DATA_FLOW } from '../../knowledge/compiled/commands.ts'
import { isAuthentication, rateSecretVariables } from '../arguments/secret-variables.ts'
import { curlStaysHere } from '../programs/network/http-clients.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { FlowGraph } from './graph.ts'
import { recipeOf } from './recipe-files.ts'
import { codeFrom, isFedWords, isSink, isSubstituted, isWebClient } from './sinks.ts'
import { secretSearch, sourceTaint, takesFoundFiles } from './sources.ts'
import { FLOW, type FlowPart } from './taint.ts'

/** A finding about the data flow into or out of one part. */
export interface FlowFinding {
  readonly index: number
  readonly finding: RiskFinding
}

const NONE: readonly FlowFinding[] = []

/** Rates the data flow between the parts of a command. */
export function rateDataFlow(parts: readonly FlowPart[]): readonly FlowFinding[] {
  const found: FlowFinding[] = []
  const bits: number[] = []
  let carries = false
  for (const { part, paths } of parts) {
    const own = sourceTaint(part, paths)
    bits.push(own)
    carries ||= own !== 0 || (parts.length > 1 && paths.some((path) => path.use === 'write'))
  }
  const graph = carries ? new FlowGraph(parts, bits) : null
  for (let index = 0; index < parts.length; index++) {
    const one = parts[index]
    if (one === undefined) continue
    if (graph !== null) {
      const run = rateRun(one, graph, index)
      if (run !== null) found.push({ index, finding: run })
    }
    if (isSink(one.part)) {
      const leak = (graph === null ? null : rateLeak(one, graph, index)) ?? rateSecretVariables(one.part)
      if (leak !== null) found.push({ index, finding: leak })
    }
    if (graph !== null && (graph.files(index) & FLOW.linked) !== 0) {
      const text = 'reads credentials through a link'
      found.push({ index, finding: finding('high', 'flow.link', text, 'no') })
    }
    const shown = graph === null ? null : rateShownSecrets(parts, graph, index)
    if (shown !== null) found.push({ index, finding: shown })
    if (isForkBomb(one.part)) {
      const text = 'starts copies of itself until the machine stops'
      found.push({ index, finding: finding('critical', 'flow.fork-bomb', text) })
    }
  }
  return found.length === 0 ? NONE : found
}

/** Rates code that comes from elsewhere and runs. */
function rateRun({ part, paths }: FlowPart, graph: FlowGraph, index: number): RiskFinding | null {
  const name = lowerCase(part.program ?? '')
  const recipe = recipeOf(part)
  if (recipe !== null) return rateRecipe(part, recipe, graph, index)
  const from = codeFrom(part)
  if (from === null) return null
  if (from === 'input' && SHELLS.has(name) && graph.feeds(index, DATA_FLOW.rawConnections))
    return finding('critical', 'flow.remote-shell', 'opens a shell to the network')
  const fed = isFedWords(part)
  const code =
    from === 'input' ? graph.input(index) : from === 'words' ? graph.words(index) | (fed ? graph.input(index) : 0) : 0
  if ((code & FLOW.fetched) !== 0)
    return finding('critical', 'flow.download-run', 'runs code straight from the network')
  if ((code & FLOW.decoded) !== 0) return finding('critical', 'flow.decode-run', 'decodes hidden code and runs it')
  return from === 'file' || from === 'input' ? rateFile(part, graph.script(index, paths)) : null
}

/** Rates recipes from elsewhere: a Makefile, the scripts of a package, the steps of an image. */
function rateRecipe(part: CommandPart, row: RecipeRow, graph: FlowGraph, index: number): RiskFinding | null {
  const bits = graph.recipe(index, row)
  if (((bits | graph.input(index)) & FLOW.fetched) !== 0)
    return finding(row.fetched, 'flow.download-run', 'downloads a build file and runs it', 'unknown')
  // The steps of an image run in a container.
  if (row.contained !== true && graph.isInDownload(part))
    return finding('high', 'flow.download-run', 'builds from files that were just downloaded', 'unknown')
  if (row.fetched !== 'critical') return null
  return (bits & FLOW.written) !== 0
    ? finding('high', 'flow.write-run', 'writes a build file and runs it', 'unknown')
    : null
}

function rateFile(part: CommandPart, bits: number): RiskFinding | null {
  if ((bits & FLOW.unpacked) !== 0)
    return finding('high', 'flow.download-run', 'runs a program from a fresh download', 'unknown')
  if ((bits & FLOW.fetched) !== 0)
    return finding('critical', 'flow.download-run', 'downloads a file and runs it', 'unknown')
  if ((bits & FLOW.decoded) !== 0)
    return finding('critical', 'flow.decode-run', 'decodes a hidden file and runs it', 'unknown')
  // A script whose text is known is rated by its text.
  return (bits & FLOW.written) !== 0 && part.script === undefined
    ? finding('high', 'flow.write-run', 'writes a file and runs it', 'unknown')
    : null
}

const LEAK = finding('critical', 'flow.exfiltration', 'sends credentials to the network')

/** Rates a secret that the sender reads itself or receives. */
function rateLeak({ part }: FlowPart, graph: FlowGraph, index: number): RiskFinding | null {
  if ((part.program === 'curl' && curlStaysHere(part)) || readsOnlyHere(part)) return null
  const secret = FLOW.secret | FLOW.token | (isFedWords(part) ? FLOW.names : 0)
  if (((graph.own(index) & FLOW.secret) | (graph.input(index) & secret) | (graph.files(index) & secret)) !== 0)
    return LEAK
  const words = graph.words(index)
  if ((words & FLOW.secret) !== 0) return LEAK
  if ((words & FLOW.token) === 0) return null
  if (!isWebClient(part)) return LEAK
  const plain = part.args.some(
    (word, at) =>
      word.value === null &&
      (isSubstituted(word) || (graph.variables(word.text) & FLOW.token) !== 0) &&
      !isAuthentication(part.args, at),
  )
  return plain ? LEAK : null
}

/** Whether a command requests only files of this machine: `curl file:///x`. */
function readsOnlyHere({ args }: CommandPart): boolean {
  const isFile = (value: string | null) => value !== null && /^file:\/\//i.test(value)
  return args.some(({ value }) => isFile(value)) && args.every(({ value }) => isFile(value) || value?.startsWith('-'))
}

/** Rates secrets that a search finds and a program shows, or that are committed and pushed. */
function rateShownSecrets(parts: readonly FlowPart[], graph: FlowGraph, index: number): RiskFinding | null {
  const part = parts[index]?.part
  if (part === undefined) return null
  if (takesFoundFiles(part)) {
    const before = parts[index - 1]?.part
    const named =
      (graph.input(index) & FLOW.names) !== 0 ||
      (before !== undefined && before.via.length < part.via.length && secretSearch(before) === 'anywhere')
    return named ? finding('high', 'flow.found-secret', 'reads every file that a search for secrets finds', 'no') : null
  }
  if (part.program !== 'git' || !part.args.some(({ value }) => value === 'push')) return null
  for (let at = 0; at < index; at++) {
    const staged = parts[at]?.part
    if (staged?.program !== 'git' || (graph.own(at) & FLOW.secret) === 0) continue
    if (staged.args.some(({ value }) => value === 'add' || value === 'commit' || value === 'stage'))
      return finding('high', 'flow.publish-secret', 'commits a file with secrets and pushes it', 'no')
  }
  return null
}

function isForkBomb(part: CommandPart): boolean {
  if (part.program === null || part.stdin.kind !== 'piped' || part.via.length === 0) return false
  return part.via.includes(`function ${part.program}`)
}
