import type { CommandWord } from '../../command/model/decomposition.ts'
import type { ProjectFile } from '../reading/project-reader.ts'
import { type Found, type RunnerInput, unclear } from '../reading/runner.ts'
import { wholeFinds, wholeOr } from './code-file.ts'
import { nodeModule } from './node-modules.ts'
import { nodeTests } from './node-tests.ts'
import { type StartCode, wholeJavaScript } from './whole-code.ts'

/** Options that load no code and take no further word. With source maps, errors show lines of any file that a map names. */
const HARMLESS =
  /^--(?:no-warnings|trace-warnings|trace-deprecation|trace-uncaught|expose-gc|max-old-space-size=\d+|stack-trace-limit=\d+|test-(?:concurrency|timeout)=\d+|test-only|test-reporter=(?:spec|tap|dot|junit|lcov)|test-name-pattern=.*|unhandled-rejections=\w+|input-type=(?:module|commonjs))$/
const LOADS = /^(?:-r|--require|--import)$/
const CODE = /^(?:-e|-p|-pe|--eval|--print)$/

/** What a command line of Node runs. */
type Use =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'script'; readonly path: string }
  | { readonly kind: 'tests'; readonly paths: readonly string[] }
  | { readonly kind: 'check'; readonly path: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unclear'; readonly why: string }

interface NodeLine {
  readonly use: Use
  /** Modules that are loaded first. */
  readonly loads: readonly string[]
}

/** `node x.js`, `node -e …`, `node -r ./pre.js x.js`, `node --test`. Null for a session or an option such as `--version`. */
export async function seeNode(input: RunnerInput): Promise<Found | null> {
  const { part, folder, reader } = input
  const { use, loads } = readLine(part.args, part.stdin)
  if (use.kind === 'nothing') return null
  if (use.kind === 'unclear') return unclear(use.why)
  // It is only parsed: what is wrong in it is shown.
  if (use.kind === 'check' && loads.length > 0) return unclear('a module that it loads is not known')
  if (use.kind === 'check') {
    const origin = { file: use.path, line: 1 }
    return { runs: [{ code: ['cat', '--', use.path], origin, cwd: part.cwd, text: `reads ${use.path}` }], opaque: [] }
  }
  const starts: StartCode[] = []
  for (const specifier of loads) {
    const module = await nodeModule(specifier, folder, reader)
    if (module.kind === 'opaque') return unclear(module.why)
    starts.push({ text: module.text, file: module })
  }
  const options = NODE_OPTIONS.test(part.assignments.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '')
  const variables = options ? { variables: ['NODE_OPTIONS'] } : {}
  if (use.kind === 'code') {
    const whole = await wholeJavaScript([...starts, { text: use.text, file: null }], folder, reader)
    // Code in the command is rated with the command.
    if (whole.kind === 'unclear') return null
    return { ...wholeFinds(whole, part.cwd, [{ text: use.text, file: null }], 'node'), ...variables }
  }
  const files = use.kind === 'tests' ? await nodeTests(use.paths, folder, reader) : await script(use.path, input)
  if (typeof files === 'string') return unclear(files)
  starts.push(...files.map((file) => ({ text: file.text, file })))
  const whole = await wholeJavaScript(starts, folder, reader)
  return { ...(await wholeOr(whole, starts, 'node', { cwd: part.cwd, reader })), ...variables }
}

/** Only these: others could hide one that loads code. */
const NODE_OPTIONS =
  /^(?: *--(?:no-warnings|trace-warnings|trace-deprecation|(?:max-old-space-size|stack-trace-limit)=\d+) *)+$/

async function script(path: string, { folder, reader }: RunnerInput): Promise<ProjectFile[] | string> {
  const reading = await reader.read(path, folder)
  if (reading.kind === 'file') return [reading]
  if (reading.kind === 'opaque' && !path.startsWith('/')) {
    const found = await nodeModule(path.startsWith('.') ? path : `./${path}`, folder, reader)
    return found.kind === 'file' ? [found] : reading.why
  }
  if (reading.kind === 'opaque') return reading.why
  return `\`${path.slice(0, 80)}\` does not exist`
}

function readLine(args: readonly CommandWord[], stdin: RunnerInput['part']['stdin']): NodeLine {
  const loads: string[] = []
  const because = (why: string): NodeLine => ({ use: { kind: 'unclear', why }, loads })
  let isTest = false
  let isCheck = false
  let code: string | null = null
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (isCheck && (value === '-' || CODE.test(value ?? ''))) return because('the script is not known')
    if (value === null || args[at]?.glob === true) return because('the script is not known')
    if (value === '-') break
    if (code !== null && (value === '--' || !value.startsWith('-'))) break
    if (isCheck && !value.startsWith('-')) return { use: { kind: 'check', path: value }, loads }
    if (!value.startsWith('-')) return { use: named(args.slice(at), isTest), loads }
    if (value === '--' && isCheck) return because('the script is not known')
    if (value === '--') return { use: named(args.slice(at + 1), isTest), loads }
    const [option = '', given] = /^--(?:require|import)=/.test(value) ? split(value) : [value, undefined]
    if (CODE.test(value) || /^--(?:eval|print)=/.test(value)) {
      const text = value.includes('=') ? value.slice(value.indexOf('=') + 1) : (args[++at]?.value ?? null)
      // Of two pieces of code the last one runs; `-p -r x` takes no code.
      if (text === null || isTest || code !== null || text.startsWith('-')) return because('the code is not known')
      // SECURITY: A28 options behind the code count as well.
      code = text
      continue
    }
    if (LOADS.test(option)) {
      const module = given ?? args[++at]?.value ?? null
      if (module === null) return because('a module that it loads is not known')
      loads.push(module)
    } else if (value === '--test' && code === null) isTest = true
    else if (/^(?:-c|--check)$/.test(value) && code === null && at === 0) isCheck = true
    else if (/^--(?:version|help|v8-options)$|^-[vh]$/.test(value)) return { use: { kind: 'nothing' }, loads }
    else if (!HARMLESS.test(value)) return because(`\`${value.slice(0, 40)}\` may load other code`)
  }
  if (code !== null) return { use: { kind: 'code', text: code }, loads }
  if (isCheck) return because('the script is not known')
  if (isTest) return { use: { kind: 'tests', paths: [] }, loads }
  if (stdin.kind === 'literal') return { use: { kind: 'code', text: stdin.text }, loads }
  return { use: { kind: 'nothing' }, loads }
}

function split(value: string): readonly [string, string] {
  const at = value.indexOf('=')
  return [value.slice(0, at), value.slice(at + 1)]
}

function named(words: readonly CommandWord[], isTest: boolean): Use {
  const values = words.map(({ value, glob }) => (glob ? null : value))
  const [path = null] = values
  if (isTest) {
    const paths = values.filter((one) => one !== null)
    return paths.length < values.length || paths.some((one) => /^-|[*?[\]{}()!]/.test(one))
      ? { kind: 'unclear', why: 'the test files are not known' }
      : { kind: 'tests', paths }
  }
  // A word of Node itself, also where a file has this name.
  if (path === 'inspect' || path === 'debug') return { kind: 'unclear', why: 'it starts a debugger' }
  return path === null ? { kind: 'unclear', why: 'the script is not known' } : { kind: 'script', path }
}
