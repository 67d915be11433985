import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type Crypto, type Json } from '@countersign/core'
import { type Home, readOwnFile, systemCode } from '@countersign/node'
import { mcpFolder } from '../identity/state-folder.ts'
import { isObject } from '../json/value.ts'

const MOST_FILES = 5000
const MOST_BYTES = 33_554_432
const HASH = 12

/** Policies do not tell small letters from capitals. */
export function foldLabel(label: string): string {
  return label.toLowerCase()
}

/** A file of one label: readable, and never another label's on a file system that folds case. */
export function labelPath(home: Home, label: string, kind: 'pins' | 'waiting', crypto: Pick<Crypto, 'sha256'>): string {
  return join(mcpFolder(home), `${readable(label)}-${crypto.sha256(label).slice(0, HASH)}.${kind}.json`)
}

/**
 * The spelling that everything of a label is kept and signed under: in small letters, or as a version that told capitals
 * apart has kept it. SECURITY: A20 `GitHub` gets the rules of `github`, so another server of that name is met as another
 * server of `github`.
 */
export function keptLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): string {
  const [kept = foldLabel(label)] = [
    ...spellings(home, label, 'pins', crypto),
    ...spellings(home, label, 'waiting', crypto),
  ]
  return kept
}

/** The same where only one spelling may be: CS_PINS when pins were kept under several, since nobody said which is meant. */
export function onlyLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): string {
  const [one, other] = spellings(home, label, 'pins', crypto)
  if (one !== undefined && other !== undefined)
    throw new CountersignError(
      'CS_PINS',
      `tools were accepted under \`${one}\` and \`${other}\`, which policies take for one name; run \`countersign mcp forget\` for one of them`,
    )
  return one ?? keptLabel(home, label, crypto)
}

function spellings(
  home: Home,
  label: string,
  kind: 'pins' | 'waiting',
  crypto: Pick<Crypto, 'sha256'>,
): readonly string[] {
  const folded = foldLabel(label)
  const end = `.${kind}.json`
  const start = `${readable(folded)}-`
  const found = new Set<string>()
  for (const file of filesOf(mcpFolder(home))) {
    if (!file.endsWith(end) || !file.toLowerCase().startsWith(start)) continue
    const hash = file.slice(start.length, -end.length)
    const guesses = [file.slice(0, start.length - 1), label, folded]
    const spelled =
      guesses.find((one) => crypto.sha256(one).slice(0, HASH) === hash) ?? labelIn(join(mcpFolder(home), file))
    if (spelled !== undefined && foldLabel(spelled) === folded) found.add(spelled)
  }
  return [...found].sort()
}

/** The label that a file says it is of. */
export function labelIn(path: string): string | undefined {
  try {
    const file = JSON.parse(readOwnFile(path, MOST_BYTES, 'CS_PINS') ?? 'null') as Json
    return isObject(file) && typeof file['label'] === 'string' ? file['label'] : undefined
  } catch {
    return undefined
  }
}

/** The names of the files in a folder; none where there is no folder. SECURITY: L3 what cannot be looked through is CS_PINS. */
export function filesOf(folder: string): readonly string[] {
  let files: readonly string[]
  try {
    files = readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw new CountersignError('CS_PINS', `the folder of pins cannot be read (${systemCode(error) ?? 'unknown'})`)
  }
  if (files.length > MOST_FILES)
    throw new CountersignError(
      'CS_PINS',
      `the folder of pins has more than ${MOST_FILES} files; take out those of other programs`,
    )
  return files
}

function readable(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 40)
}
