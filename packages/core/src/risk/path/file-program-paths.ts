import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import { valuedOptionsExcept, valuedOptionsOf } from '../../knowledge/programs.ts'
import { anyAbbreviation, anyFlag } from '../arguments/flags.ts'
import { hasScriptOption, rewritesInPlace, sedActs } from '../arguments/sed-script.ts'
import { readTar } from '../arguments/tar-options.ts'
import { isRegenerableGlob } from './category.ts'
import {
  isRemote,
  isUrl,
  looksLikePath,
  optionValue,
  plainWords,
  type Reader,
  type SpelledPath,
  spelled,
  type Use,
} from './unresolved-path.ts'

/** `rm` deletes a folder only with an option. */
export const rm: Reader = (part) => {
  const recursive = anyFlag(part, '-r', '-R', '--recursive') || anyAbbreviation(part, '--recursive')
  return plainWords(part).map((word) =>
    spelled(word, 'delete', false, word.value, recursive && !isFileName(word.value) ? undefined : 'file'),
  )
}

/** Whether an ending shows that the name is a file's: `a.ts`, not `.git` or `src`. */
function isFileName(value: string | null): boolean {
  return value !== null && /[^/.][^/]*\.[a-z][a-z0-9]{0,5}$/i.test(value)
}

/** All but the last are read (or moved away), the last is written. With `-t`, all are sources. */
export const copying =
  (source: Use): Reader =>
  (part) => {
    const words = plainWords(part, PATH_ARGUMENTS.copyOptions).filter(
      (word) => word.value === null || !isUrl(word.value),
    )
    const into = optionValue(part, ['-t', '--target-directory'])
    const sources = into === null ? words.slice(0, -1) : words
    const last = into ?? words.at(-1)
    const manner = source === 'delete' && last?.value !== '/dev/null' ? 'moved' : undefined
    const local = (word: CommandWord) => word.value === null || !isRemote(word.value)
    return [
      ...sources.filter(local).map((word) => spelled(word, source, false, word.value, manner)),
      ...(last === undefined || !local(last) ? [] : [spelled(last, 'write', false)]),
    ]
  }

/** Where `cp` and `mv` write if their last word is a folder: one path for each source. */
export function copiesOf(part: CommandPart): readonly string[] {
  if (!COPIES.has(part.program ?? '')) return []
  const words = plainWords(part, PATH_ARGUMENTS.copyOptions).map(({ value }) => value ?? '')
  const into = optionValue(part, ['-t', '--target-directory'])?.value ?? words.pop() ?? ''
  const folder = into.replace(/\/+$/, '')
  return words.map((word) => `${folder}/${word.replace(/\/+$/, '').replace(/^.*\//s, '')}`)
}

const COPIES: ReadonlySet<string> = new Set(['cp', 'mv', 'install', 'ln'])

export const after =
  (count: number, use: Use, soft: boolean): Reader =>
  (part) =>
    plainWords(part)
      .slice(count)
      .map((word) => spelled(word, use, soft))

export const sed: Reader = (part) => {
  const inPlace = rewritesInPlace(part)
  const scripted = hasScriptOption(part)
  const words = plainWords(part, valuedOptionsOf('sed'))
  return words
    .filter((word) => !inPlace || word.value !== '')
    .slice(scripted ? 0 : 1)
    .map((word) => spelled(word, inPlace ? 'write' : 'read', false))
    .concat(sedPaths(part))
}

/** Files that the sed script itself writes or reads. */
function sedPaths(part: CommandPart): SpelledPath[] {
  const { writes, reads } = sedActs(part)
  const path = (use: Use) => (value: string) => spelled({ text: value, value, glob: false }, use, false)
  return [...writes.map(path('write')), ...reads.map(path('read'))]
}

export const dd: Reader = (part) =>
  part.args.flatMap((word) => {
    if (word.value === null) return [spelled(word, 'write', false)]
    if (word.value.startsWith('of=')) return [spelled(word, 'write', false, word.value.slice(3))]
    return word.value.startsWith('if=') ? [spelled(word, 'read', false, word.value.slice(3))] : []
  })

export const tar: Reader = (part) => {
  const { mode, archive, folder, members } = readTar(part)
  const file =
    archive === null || archive.value === '-' ? [] : [spelled(archive, mode === 'make' ? 'write' : 'read', false)]
  const into = folder === null ? [HERE] : [spelled(folder, 'write', false)]
  switch (mode) {
    case 'unpack':
      return [...file, ...into]
    case 'list':
      return file
    case 'make':
      return [
        ...file,
        ...members
          .filter(({ value }) => value === null || looksLikePath(value))
          .map((word) => spelled(word, 'read', false)),
      ]
  }
}

export const unzip: Reader = (part) => {
  const [archive] = plainWords(part, valuedOptionsOf('unzip'))
  const folder = optionValue(part, ['-d'])
  const file = archive === undefined ? [] : [spelled(archive, 'read', false)]
  if (anyFlag(part, '-l', '-t', '-Z', '-p', '-v')) return file
  return [...file, folder === null ? HERE : spelled(folder, 'write', false)]
}

/** Compressors replace the file, unless they print, list or test. */
export const compress: Reader = (part) => {
  const prints = anyFlag(part, '-c', '-l', '-t', '--stdout', '--list', '--test')
  return plainWords(part)
    .filter((word) => word.value !== '-')
    .map((word) => spelled(word, prints ? 'read' : 'write', false))
}

/** With `-n`, rsync changes nothing. */
export const rsync: Reader = (part) => {
  const dry = anyFlag(part, '-n', '--dry-run')
  return copying('read')(part).map((path) => (dry ? { ...path, use: 'read' as const } : path))
}

const HERE: SpelledPath = { given: '.', lookup: '.', glob: false, use: 'write', soft: false, manner: undefined }

/** How `find` uses the files it finds: it deletes them, or the program that it runs changes them. */
function findUse(part: CommandPart): Use {
  if (part.args.some((word) => word.value === '-delete')) return findsRegenerable(part) ? 'read' : 'delete'
  const at = part.args.findIndex(({ value }) => value !== null && /^-(?:exec|ok)(?:dir)?$/.test(value))
  const run = part.args[at + 1]?.value ?? ''
  const rewrites =
    !/^g?sed$|^perl$|^ruby$/.test(run) || part.args.some(({ value }) => /^-[a-zA-Z0-9]{0,6}i/.test(value ?? ''))
  return at !== -1 && PATH_ARGUMENTS.fileChangers.has(run.slice(run.lastIndexOf('/') + 1)) && rewrites
    ? 'write'
    : 'read'
}

export const find: Reader = (part) => {
  const use = findUse(part)
  const paths: SpelledPath[] = []
  for (const word of part.args) {
    if (word.value !== null && /^-[HLP]$/.test(word.value)) continue
    if (word.value !== null && /^[-(!]/.test(word.value)) break
    paths.push(spelled(word, use, use === 'read'))
  }
  const written = ['-fprint', '-fprint0', '-fprintf', '-fls']
    .map((name) => optionValue(part, [name]))
    .filter((word) => word !== null)
  const starts = paths.length === 0 && use === 'delete' ? [{ ...HERE, use }] : paths
  return [...starts, ...written.map((word) => spelled(word, 'write', false))]
}

let treeOptions: ReadonlySet<string> | undefined

/** `-o`, also after other letters, names the output file. */
export const tree: Reader = (part) => {
  treeOptions ??= valuedOptionsExcept('writes', 'tree')
  const at = part.args.findIndex(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,20}o|--output)$/.test(value))
  const output = at === -1 ? optionValue(part, ['--output']) : (part.args[at + 1] ?? null)
  const listed = plainWords(part, treeOptions).filter((word) => word !== output)
  const paths = listed.map((word) => spelled(word, 'read', true))
  return output === null ? paths : [...paths, spelled(output, 'write', false)]
}

let sortOptions: ReadonlySet<string> | undefined

export const sort: Reader = (part) => {
  sortOptions ??= valuedOptionsExcept('runs', 'sort')
  const output = optionValue(part, ['-o', '--output'])
  const inputs = plainWords(part, sortOptions).map((word) => spelled(word, 'read', false))
  return output === null ? inputs : [...inputs, spelled(output, 'write', false)]
}

/** Whether `find` searches only for files that a tool creates again: `-name '*.pyc'`, `-name node_modules`. */
export function findsRegenerable(part: CommandPart): boolean {
  // Empty files and folders have no content to lose.
  if (part.args.some(({ value }) => value === '-empty')) return true
  let named = 0
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? null
    // A negation or an unknown word could match anything.
    if (value === null || value === '!' || value === '-not') return false
    if (!PATH_ARGUMENTS.findNames.has(value)) continue
    if (!isRegenerableGlob(part.args[at + 1]?.value ?? '')) return false
    named++
    at++
  }
  return named > 0
}
