import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type Crypto, isJsonObject, type Json } from '@countersign/core'
import { type Home, readOwnFile, systemCode } from '@countersign/node'

const MAX_FILES = 5000
const MAX_BYTES = 33_554_432
const HASH = 12

/** Policies ignore case in labels. */
export function foldLabel(label: string): string {
  return label.toLowerCase()
}

/** The path of a label’s file: readable, and unique even on a case-insensitive file system. */
export function labelPath(home: Home, label: string, kind: 'pins' | 'waiting', crypto: Pick<Crypto, 'sha256'>): string {
  return join(mcpFolder(home), `${readable(label)}-${crypto.sha256(label).slice(0, HASH)}.${kind}.json`)
}

/**
 * The spelling under which a label is stored and signed: lower case, or as an earlier version that was case-sensitive
 * stored it. SECURITY: A20 `GitHub` gets the rules of `github`, so a server of that name counts as another server of
 * `github`.
 */
export function storedLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): string {
  const [kept = foldLabel(label)] = [
    ...spellings(home, label, 'pins', crypto),
    ...spellings(home, label, 'waiting', crypto),
  ]
  return kept
}

/** The same, but CS_PINS when pins exist under several spellings. */
export function uniqueLabel(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): string {
  const [one, other] = spellings(home, label, 'pins', crypto)
  if (one !== undefined && other !== undefined)
    throw new CountersignError(
      'CS_PINS',
      `tools were accepted under \`${one}\` and \`${other}\`, which are the same name in policies; run \`countersign mcp forget\` for one of them`,
    )
  return one ?? storedLabel(home, label, crypto)
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

/** The label inside a file. */
export function labelIn(path: string): string | undefined {
  try {
    const file = JSON.parse(readOwnFile(path, MAX_BYTES, 'CS_PINS') ?? 'null') as Json
    return isJsonObject(file) && typeof file['label'] === 'string' ? file['label'] : undefined
  } catch {
    return undefined
  }
}

/** The file names in a folder; none when it does not exist. SECURITY: L3 an unreadable folder is CS_PINS. */
export function filesOf(folder: string): readonly string[] {
  let files: readonly string[]
  try {
    files = readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw new CountersignError('CS_PINS', `the pins folder cannot be read (${systemCode(error) ?? 'unknown'})`)
  }
  if (files.length > MAX_FILES)
    throw new CountersignError(
      'CS_PINS',
      `the pins folder has more than ${MAX_FILES} files; remove those of other programs`,
    )
  return files
}

function readable(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 40)
}

/** The folder for pins, quarantine, backups of wrapped files, and sign-ins. */
export function mcpFolder(home: Home): string {
  return join(home.dir, 'mcp')
}
