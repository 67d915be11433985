import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { lineAt, placeIn, quoted, type Runner, SettingsFinds } from '../reading/runner.ts'
import { optionValues } from './settings-file.ts'

/** Verbs that ask external data sources and providers, and verbs that run provisioners too. */
const ASKS = /^(?:plan|apply|destroy|refresh|import|console|test)$/
const PROVISIONS = /^(?:apply|destroy|test)$/
const BLOCK = /\b(data\s+"external"\s+"[\w-]+"|provisioner\s+"local-exec"|exec)\s*\{/g
const MODULE = /\bmodule\s+"[\w-]+"\s*\{[^}]*?\bsource\s*=\s*"([^"\n]*)"/g

/** terraform, tofu: the commands of external data sources, of `local-exec` and of credentials. */
export const seeTerraform: Runner = async ({ part, folder, reader }) => {
  const verb = part.args.find(({ value }) => value === null || !value.startsWith('-'))?.value ?? ''
  if (!ASKS.test(verb)) return null
  const finds = new SettingsFinds()
  const named = optionValues(part.args, ['-chdir', '--chdir'])[0]
  const first = named === null ? null : await reader.resolve(named ?? '.', folder)
  if (first === null) finds.held.push('the folder is outside the workspace, or not known')
  const waiting = first === null ? [] : [first]
  const known = new Set<string>()
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (known.has(at)) continue
    known.add(at)
    for (const file of await filesIn(at, reader, finds)) {
      addBlocks(file, verb, at, finds)
      for (const [, source = ''] of file.text.matchAll(MODULE)) {
        const inner = source.startsWith('.') ? await reader.resolve(source, at) : null
        if (inner === null) finds.opaque.push(`\`${file.shown}\` loads the module \`${source.slice(0, 80)}\``)
        else waiting.push(inner)
      }
    }
  }
  return finds
}

async function filesIn(folder: string, reader: ProjectReader, finds: SettingsFinds): Promise<readonly ProjectFile[]> {
  const names = await reader.names('.', folder)
  if (names === null) finds.opaque.push('the folder can’t be listed')
  const files: ProjectFile[] = []
  for (const name of names ?? []) {
    if (/\.(?:tf|tofu)\.json$/.test(name)) finds.opaque.push(`\`${name.slice(0, 80)}\` is not analyzed`)
    if (!/\.(?:tf|tofu)$/.test(name)) continue
    const reading = await reader.read(name, folder)
    if (reading.kind === 'file') files.push({ ...reading, text: withoutComments(reading.text) })
    if (reading.kind === 'opaque') finds.opaque.push(reading.why)
  }
  return files
}

/** The text with comments blanked out, every position kept. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*/g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, ' '),
  )
}

function addBlocks(file: ProjectFile, verb: string, cwd: string, finds: SettingsFinds): void {
  for (const block of file.text.matchAll(BLOCK)) {
    const [start, kind = ''] = block
    if (kind.startsWith('provisioner') && !PROVISIONS.test(verb)) continue
    const from = block.index + start.length
    const body = bodyFrom(file.text, from)
    const origin = placeIn(file, lineAt(file.text, block.index))
    const shell = /\bcommand\s*=\s*(?:"((?:[^"\\\n]|\\.)*)"|<<-?\s*"?(\w+)"?\n([\s\S]*?)\n\s*\2\b)/.exec(body)
    const command =
      shell === null ? null : (shell[3] ?? unescaped(shell[1] ?? '')).replace(/\$\{[^}]*\}/g, '$__inserted')
    const list = (key: string) => wordsOf(new RegExp(`\\b${key}\\s*=\\s*\\[([^\\]]*)\\]`).exec(body)?.[1])
    const words = kind.startsWith('data')
      ? list('program')
      : kind === 'exec'
        ? command === null
          ? null
          : [command, ...(list('args') ?? [])]
        : list('interpreter')
    const place = /\bworking_dir\s*=/.test(body) ? null : cwd
    if (kind.startsWith('provisioner') && command !== null)
      finds.runs.push({ code: words === null ? command : [...words, command], origin, cwd: place })
    else if (words !== null && words.length > 0)
      finds.runs.push({ code: words.map(quotedOrInserted).join(' '), origin, cwd: place })
    else finds.held.push(`\`${file.shown}:${origin.line}\` runs a computed command`)
  }
}

/** The text of a block up to its closing brace. */
function bodyFrom(text: string, from: number): string {
  let depth = 1
  for (const found of text.slice(from).matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (found[0] === '{') depth++
    if (found[0] === '}' && --depth === 0) return text.slice(from, from + found.index)
  }
  return text.slice(from)
}

/** The words of a list; null if there is none, or one is not literal. */
function wordsOf(list: string | undefined): readonly string[] | null {
  if (list === undefined || list.replace(/"(?:[^"\\\n]|\\.)*"/g, '').replace(/[\s,]/g, '') !== '') return null
  return [...list.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, word = '']) => unescaped(word))
}

function quotedOrInserted(word: string): string {
  return word.includes('${') ? '"$__inserted"' : quoted(word)
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign))
}
