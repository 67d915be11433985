import { asCountersignError, CountersignError, formatProblem, positionsIn, readYaml } from '@countersign/core'
import { type Home, readOwnFile, replaceOwnFile } from '@countersign/node'
import { Document, isMap, parseDocument } from 'yaml'
import type { z } from 'zod'
import { NO_SETTINGS, type Settings, settingsSchema } from './settings.ts'

const MAX_BYTES = 64 * 1024
const HEAD = ' Written by `countersign notify`. Contains secrets: do not share it.'

/** Reads `notify.yaml`. Throws CS_NOTIFY with file, line and column: an invalid file sends nothing. */
export function readSettings(home: Home): Settings {
  const text = readOwnFile(home.notify, MAX_BYTES, 'CS_NOTIFY')
  return text === undefined ? NO_SETTINGS : parseSettings(text)
}

/** Changes `notify.yaml`, and keeps its comments. The changed file is checked before it is written. */
export function changeSettings(home: Home, change: (document: Document) => void): Settings {
  const before = readOwnFile(home.notify, MAX_BYTES, 'CS_NOTIFY')
  if (before !== undefined) parseSettings(before)
  const document = before === undefined ? newDocument() : parseDocument(before)
  change(document)
  const text = document.toString({ lineWidth: 0 })
  const settings = parseSettings(text, (_, message) => `${message}; nothing was changed`)
  try {
    replaceOwnFile(home.notify, text)
  } catch (error) {
    throw asCountersignError(error, 'CS_NOTIFY', `cannot write \`${home.notify}\`; check its folder`)
  }
  return settings
}

function newDocument(): Document {
  const document = new Document({ version: 1 })
  document.commentBefore = HEAD
  return document
}

/** Sets or, with undefined, removes a value; maps on the way are made. */
export function setIn(document: Document, path: readonly string[], value: unknown): void {
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, document.createNode(value))
  const parent = path.slice(0, -1)
  const left = parent.length === 0 ? undefined : document.getIn(parent)
  if (isMap(left) && left.items.length === 0) document.deleteIn(parent)
}

/** Says where in the file something is wrong. */
function inFile(text: string): (offset: number, message: string) => string {
  const position = positionsIn(text)
  return (offset, message) => formatProblem({ file: 'notify.yaml', ...position(offset), message })
}

function parseSettings(text: string, words = inFile(text)): Settings {
  const wrong = (offset: number, message: string): CountersignError =>
    new CountersignError('CS_NOTIFY', words(offset, message))
  const read = readYaml(text)
  const [first] = read.problems
  if (first !== undefined || read.kind === 'refused')
    throw wrong(first?.offset ?? 0, (first?.message ?? 'not valid YAML').replace('a policy file', 'this file'))
  const checked = settingsSchema.safeParse(read.tree.value)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const path = plain(issue?.path ?? [])
  if (issue?.code !== 'unrecognized_keys') throw wrong(read.tree.offsetOf(path), wordsOf(issue))
  const [key = ''] = issue.keys
  throw wrong(read.tree.offsetOfKey([...path, key]), `unknown key \`${key}\`; see docs/guides/notifications.md`)
}

/** SECURITY: A32 names the key, never its value, which may be a secret. */
function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : `\`${plain(issue.path).join('.')}\``
  return `${where}: ${(issue?.message ?? 'is invalid').replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`
}

function plain(path: readonly PropertyKey[]): readonly (string | number)[] {
  return path.map((step) => (typeof step === 'number' ? step : String(step)))
}
