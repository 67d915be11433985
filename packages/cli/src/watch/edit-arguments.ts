import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson, type JsonObject } from '@countersign/core'
import { type Home, openOwnFolder } from '@countersign/node'
import type { EditAnswer } from '@countersign/terminal'

const LARGEST = 4 << 20
/** Exit codes above this mean that a signal ended the program. */
const SIGNALLED = 128

/**
 * Opens the arguments in the user's editor, in a private temporary file: a long text as the text itself, everything else
 * as JSON. `whole` always opens the JSON.
 */
export function editArguments(
  args: JsonObject,
  home: Home,
  env: Readonly<Record<string, string | undefined>>,
  whole = false,
): Promise<EditAnswer> {
  const long = whole ? null : longText(args)
  return withEditFolder(home, async (folder) => {
    const file = join(folder, long === null ? 'arguments.json' : `${fileName(long.name)}${extension(args)}`)
    const text = long === null ? `${JSON.stringify(args, null, 2)}\n` : long.text
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    const editor = env['VISUAL'] || env['EDITOR'] || 'vi'
    const failed = await runEditor(editor, file, env)
    return failed ?? (long === null ? readEdited(file, args) : readText(file, long, args))
  })
}

/** An argument that is edited as text. */
interface LongText {
  readonly name: string
  readonly text: string
}

/** A text of one short line is edited as JSON, with the other arguments. */
const LONG = 120

/** The longest text of several lines, or of a long one; null if there is none, or a file can't hold it as it is. */
function longText(args: JsonObject): LongText | null {
  const [longest] = Object.entries(args)
    .flatMap(([name, text]) => (typeof text === 'string' ? [{ name, text }] : []))
    .filter(({ text }) => text.length > LONG || text.includes('\n'))
    .toSorted((one, other) => other.text.length - one.text.length)
  return longest?.text.isWellFormed() === true ? longest : null
}

function fileName(argument: string): string {
  return argument.replaceAll(/[^\w-]/g, '_').slice(0, 40)
}

/** The extension of the file that the text is for, so that the editor knows its language. */
function extension(args: JsonObject): string {
  const path = ['path', 'file_path', 'filePath', 'filename']
    .map((name) => args[name])
    .find((one) => typeof one === 'string')
  return /\.[A-Za-z0-9]{1,10}$/.exec(typeof path === 'string' ? path : '')?.[0] ?? '.txt'
}

function readText(file: string, { name, text: before }: LongText, args: JsonObject): EditAnswer {
  let bytes: Buffer
  try {
    if (statSync(file).size > LARGEST)
      return { kind: 'failed', message: 'the edited text is too large; nothing changed' }
    bytes = readFileSync(file)
  } catch {
    return { kind: 'failed', message: 'the edited text can’t be read; nothing changed' }
  }
  if (!isUtf8(bytes))
    return { kind: 'failed', message: 'the edited text is not UTF-8; nothing changed, press e to edit again' }
  // Editors end a file with a line break that nobody typed.
  const after = before.endsWith('\n') ? String(bytes) : String(bytes).replace(/\r?\n$/, '')
  return after === before ? { kind: 'unchanged' } : { kind: 'edited', args: { ...args, [name]: after } }
}

function readEdited(file: string, before: JsonObject): EditAnswer {
  let edited: unknown
  try {
    if (statSync(file).size > LARGEST)
      return { kind: 'failed', message: 'the edited arguments are too large; nothing changed' }
    edited = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { kind: 'failed', message: 'not valid JSON; nothing changed, press e to edit again' }
  }
  if (typeof edited !== 'object' || edited === null || Array.isArray(edited))
    return { kind: 'failed', message: 'arguments must be a JSON object; nothing changed, press e to edit again' }
  const args = edited as JsonObject
  return canonicalJson(args) === canonicalJson(before) ? { kind: 'unchanged' } : { kind: 'edited', args }
}

/**
 * Runs `$EDITOR` through a shell, since it may contain arguments; the file is the last one. Returns why there is no
 * result, or null. The shell survives Ctrl-C, as the editor may.
 */
function runEditor(
  editor: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EditAnswer | null> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `trap : INT QUIT; ${editor} "$1"`, 'sh', file], {
      stdio: 'inherit',
      env: { ...env },
    })
    const fail = (message: string): void => resolve({ kind: 'failed', message })
    child.on('error', (error) => fail(`could not start the editor: ${error.message}`))
    child.on('close', (code) => {
      if (code === 0) resolve(null)
      else if (code === null || code > SIGNALLED) resolve({ kind: 'unchanged' })
      else fail(`the editor \`${editor}\` exited with ${code}; nothing changed`)
    })
  })
}

const NAME = /^edit-(\d+)-/
const DEADLY = ['SIGTERM', 'SIGHUP'] as const

/**
 * Creates a private folder in the home while `use` runs. It is removed afterwards, even if a signal other than SIGKILL
 * ends the process.
 */
async function withEditFolder<T>(home: Home, use: (folder: string) => Promise<T>): Promise<T> {
  openOwnFolder(home.run, 'CS_HOME')
  const folder = mkdtempSync(join(home.run, `edit-${process.pid}-`))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const die = (signal: NodeJS.Signals): void => {
    remove()
    process.off(signal, die)
    process.kill(process.pid, signal) // deliver the signal to other handlers, or end the process
  }
  process.on('exit', remove)
  for (const signal of DEADLY) process.on(signal, die)
  try {
    return await use(folder)
  } finally {
    for (const signal of DEADLY) process.off(signal, die)
    process.off('exit', remove)
    remove()
  }
}

/** Removes edit folders of processes that were killed. */
export function clearEditFolders(home: Home): void {
  for (const name of namesIn(home.run)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid)
    if (pid !== process.pid && !isAlive(pid)) rmSync(join(home.run, name), { recursive: true, force: true })
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not created yet
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
