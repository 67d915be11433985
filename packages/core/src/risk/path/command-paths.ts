import type { CodeEffect } from '../../command/code/find-effects.ts'
import { codeEffects } from '../../command/code/find-effects.ts'
import { AWKS, type InlineCode, inlineCode, interpreterOf } from '../../command/code/inline-code.ts'
import type { CommandPart, CommandWord, Redirection } from '../../command/model/decomposition.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import { programRow, valuedOptionsExcept } from '../../knowledge/programs.ts'
import { gitFolders } from '../arguments/git-directories.ts'
import { typedOptions } from '../arguments/typed-options.ts'
import { DOWNLOAD_READERS, savedByUrl } from './download-paths.ts'
import { after, compress, copying, dd, find, rm, rsync, sed, sort, tar, tree, unzip } from './file-program-paths.ts'
import { optionPaths, optionRows } from './option-paths.ts'
import { serviceReaders } from './service-program-paths.ts'
import {
  guessed,
  looksLikePath,
  plainWords,
  type Reader,
  type SpelledPath,
  spelled,
  type Use,
} from './unresolved-path.ts'

const all =
  (name: string, use: Use, soft: boolean, valued?: ReadonlySet<string>): Reader =>
  (part) => {
    const paths: SpelledPath[] = []
    // A program that an option names counts as a file too.
    valued ??= valuedOptionsExcept('runs', name)
    const row = programRow(name)
    const taken = row === undefined ? [] : typedOptions(part, row).map(({ value }) => value)
    for (const word of plainWords(part, valued))
      if (word.value !== '-' && !taken.includes(word)) paths.push(spelled(word, use, soft))
    return paths
  }

const BUNDLE_VALUES: ReadonlySet<string> = new Set(['--version'])

const gitWords: Reader = (part) => {
  const verb = findVerb(part)
  if (verb.kind !== 'verb') return guessed(part)
  if (verb.verb === 'mv' && !verb.rest.some(({ value }) => value !== null && /^(?:-[a-z]*n|--dry)/.test(value)))
    return copying('delete')({ ...part, args: verb.rest })
  if (verb.verb === 'bundle' && verb.rest[0]?.value === 'create')
    return plainWords({ ...part, args: verb.rest.slice(1) }, BUNDLE_VALUES)
      .slice(0, 1)
      .filter(({ value }) => value !== '-')
      .map((word) => spelled(word, 'write', false))
  const use: Use | null =
    verb.verb === 'rm' ? 'delete' : verb.verb === 'restore' || verb.verb === 'checkout' ? 'write' : null
  if (use === null || verb.rest.some(({ value }) => value !== null && PATH_ARGUMENTS.gitIndexOptions.has(value)))
    return guessed(part)
  const dashes = verb.rest.findIndex((word) => word.value === '--')
  const words = dashes === -1 && verb.verb === 'checkout' ? [] : verb.rest.slice(dashes + 1)
  return words
    .filter((word) => word.value === null || !word.value.startsWith('-'))
    .map((word) => spelled(word, use, false))
}

const git: Reader = (part) => {
  const folders = gitFolders(part).filter((folder) => folder !== '.' || (part.cwd !== '' && part.cwd !== null))
  const worked = gitWords(part)
  if (folders.length === 0) return worked
  return [
    ...folders.map((folder) => spelled({ text: folder, value: folder, glob: false }, 'read', true)),
    ...worked.filter(({ given, use }) => use !== 'read' || !folders.includes(given)),
  ]
}

/** A shell or an interpreter with a script: the script runs, its arguments are guessed. */
const script: Reader = (part) => {
  const code = inlineCode(part.program?.toLowerCase() ?? '', part.args, part.stdin)
  if (code !== null) return codePaths(part, code)
  if (part.args.some(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}[cem]|--command)$/.test(value)))
    return guessed(part)
  const checks = part.args.some(({ value }) => value === '-n' || value === '-l' || value === '--check')
  const words = plainWords(part, PATH_ARGUMENTS.interpreterOptions)
  const verbs = part.program === 'bun' || part.program === 'deno'
  const first = verbs
    ? words.find(({ value }) => value === null || looksLikePath(value) || /\.\w{1,4}$/.test(value))
    : words[0]
  if (first === undefined || first.value === '-') return guessed(part)
  return [
    spelled(first, checks ? 'read' : 'execute', false),
    ...guessed(part).filter((path) => path.given !== first.value),
  ]
}

const curl: Reader = (part) => {
  const named = part.args.some(
    ({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}O[a-zA-Z]{0,8}|--remote-name(?:-all)?)$/.test(value),
  )
  const paths = [...guessed(part), ...savedBy(part), ...localFiles(part)]
  return named ? [...paths, ...savedByUrl(part, ['--output-dir'], PATH_ARGUMENTS.curlOptions)] : paths
}

/** `file:///x` is a file on this machine. */
function localFiles(part: CommandPart): SpelledPath[] {
  return part.args.flatMap((word) => {
    const file = /^(?:--url=)?file:\/\/(?:localhost)?(\/.{1,4096})$/is.exec(word.value ?? '')?.[1]
    return file === undefined ? [] : [spelled({ ...word, glob: false }, 'read', false, file)]
  })
}

/** `-sSLo file` and `-ofile`: `-o` after other letters, or joined with its value. */
function savedBy(part: CommandPart): SpelledPath[] {
  for (let at = 0; at < part.args.length; at++) {
    const word = part.args[at]
    const [, letters, joined] = /^-([a-zA-Z#0-6]{0,12}?)o(.{0,4096})$/s.exec(word?.value ?? '') ?? []
    if (word === undefined || letters === undefined || /[^sSLfkgvaijlnqNJR#0-6]/.test(letters)) continue
    const file = joined === '' ? part.args[at + 1] : word
    if (file === undefined || (letters === '' && joined === '') || (joined === '' ? file.value : joined) === '-')
      continue
    return [spelled(file, 'write', false, joined === '' ? file.value : joined)]
  }
  return []
}

/** Without `-O`, the file is named after its URL; `-O -` prints. */
const wget: Reader = (part) => {
  const at = part.args.findIndex(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}O|--output-document)/.test(value))
  const option = part.args[at]
  const local = localFiles(part)
  if (local.length > 0) return [...guessed(part), ...local]
  if (part.args.some(({ value }) => value === '--spider')) return guessed(part)
  if (option?.value == null) return [...guessed(part), ...savedByUrl(part, ['-P', '--directory-prefix'])]
  const joined = /^(?:-[a-zA-Z]{0,8}O|--output-document=)(.+)$/s.exec(option.value)?.[1]
  const file = joined === undefined ? part.args[at + 1] : option
  if (file === undefined || (joined ?? file.value) === '-') return guessed(part)
  return [...guessed(part), spelled(file, 'write', false, joined ?? file.value)]
}

/** Searches write nothing: their `-o` has no value. */
const searched: Reader = (part) => guessed(part, 1).filter(({ use }) => use !== 'write')

/** `7z a archive files…`: the first word is a verb. */
const packed: Reader = (part) => {
  const [verb, archive, ...files] = plainWords(part)
  const adds = verb?.value === 'a' || verb?.value === 'u'
  return [
    ...(archive === undefined ? [] : [spelled(archive, adds ? 'write' : 'read', false)]),
    ...files.map((word) => spelled(word, 'read', !adds)),
  ]
}

const WRITE_OPERATORS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '>&', '<>'])

/** Every path of a simple command: its redirections, its program if named by path, its arguments. */
export function spelledPaths(part: CommandPart, own?: OwnKnowledge): readonly SpelledPath[] {
  const paths: SpelledPath[] = []
  for (const redirection of part.redirections) paths.push(redirected(redirection))
  if (part.path?.includes('/'))
    paths.push({ given: part.path, lookup: part.path, glob: false, use: 'execute', soft: false, manner: undefined })
  const program = lowerCase(part.program ?? '')
  const reader = readerOf(program)
  const read = optionPaths(part, optionRows(program, own), reader === null ? [] : reader(part))
  if (paths.length === 0 && part.via.length === 0 && !read.some(isPrinted)) return read
  const isFound = part.via.length > 0 && /^(?:find|fd|fdfind|xargs|gxargs)\b/.test(part.via.at(-1) ?? '')
  for (const path of read) if (!isPrinted(path)) paths.push(isFound ? found(path) : path)
  return paths
}

/** A process substitution is not a file: its command is a part of its own. */
function isPrinted({ lookup, use, given }: SpelledPath): boolean {
  return lookup === null && use === 'read' && given.startsWith('<(')
}

function redirected({ operator, target, glob }: Redirection): SpelledPath {
  const use = WRITE_OPERATORS.has(operator) ? 'write' : 'read'
  if (glob === true) return spelled({ text: target ?? operator, value: target, glob }, use, false)
  return { given: target ?? operator, lookup: target, glob: false, use, soft: false, manner: undefined }
}

let readers: ReadonlyMap<string, Reader | null> | undefined

/** How the paths of a program are found; null if it takes no files. */
function readerOf(name: string): Reader | null {
  readers ??= buildReaders()
  const known = readers.get(name)
  if (known !== undefined) return known
  return interpreterOf(name) === null ? guessed : script
}

/** Later entries replace earlier ones. */
function buildReaders(): ReadonlyMap<string, Reader | null> {
  const { plainFiles, metadataOnly, noFiles } = PATH_ARGUMENTS
  const plain = (['delete', 'write', 'read'] as const).flatMap((use) =>
    plainFiles[use].map((name): [string, Reader] => [name, all(name, use, metadataOnly.has(name))]),
  )
  return new Map<string, Reader | null>([
    ...plain,
    ...each(SHELLS, script),
    ...serviceReaders(),
    ...DOWNLOAD_READERS,
    ['rm', rm],
    ['grm', rm],
    ['rsync', rsync],
    ['bsdtar', tar],
    ['gtar', tar],
    ['unzip', unzip],
    ...each(PATH_ARGUMENTS.compressors, compress),
    ['mv', copying('delete')],
    ['cp', copying('read')],
    ['install', copying('read')],
    ['ln', (part) => copying('read')(part).map((path) => ({ ...path, soft: true }))],
    ['scp', copying('read')],
    ['chmod', after(1, 'write', true)],
    ['chown', after(1, 'write', false)],
    ['chgrp', after(1, 'write', false)],
    ['chattr', after(1, 'write', false)],
    ['setfacl', after(0, 'write', false)],
    ['sort', sort],
    ['tree', tree],
    ['sed', sed],
    ['gsed', sed],
    ['dd', dd],
    ['tar', tar],
    ['git', git],
    ['find', find],
    ...each(PATH_ARGUMENTS.searches, searched),
    ...each(AWKS, script),
    ['jq', (part) => guessed(part, 1)],
    ['curl', curl],
    ['wget', wget],
    ...each(PATH_ARGUMENTS.archivers, packed),
    ['zip', (part) => plainWords(part).map((word, at) => spelled(word, at === 0 ? 'write' : 'read', false))],
    ...each(noFiles, null),
  ])
}

function each<T>(names: Iterable<string>, reader: T): [string, T][] {
  return [...names].map((name) => [name, reader])
}

/** A file that `find` or `xargs` fills in: any file below the folder, as a glob. The start of `find` is rated with `find`. */
function found(path: SpelledPath): SpelledPath {
  return path.lookup === null && path.use === 'write' ? { ...path, lookup: '.', glob: true } : path
}

const CODE_USES: Readonly<Partial<Record<CodeEffect['kind'], readonly [first: Use, second?: Use]>>> = {
  delete: ['delete'],
  'delete-all': ['delete'],
  write: ['write'],
  move: ['delete', 'write'],
  copy: ['read', 'write'],
  read: ['read'],
}

/** The paths in inline code, and the files it runs on. */
function codePaths(part: CommandPart, code: InlineCode): SpelledPath[] {
  const named = codeEffects(code.text, code.language).flatMap(({ kind, paths }) =>
    paths.flatMap((path, at): SpelledPath[] => {
      const use = CODE_USES[kind]?.[at === 0 ? 0 : 1]
      if (use === undefined || path === null || path === '') return []
      return [spelled({ text: path, value: path, glob: /[*?]/.test(path) }, use, false)]
    }),
  )
  return [...named, ...filesOf(part, code)]
}

/** `perl -pi -e code file` rewrites the file; other programs read words after the code that look like paths. */
function filesOf(part: CommandPart, code: InlineCode): SpelledPath[] {
  const lines = code.language === 'perl' || code.language === 'ruby' || code.language === 'awk'
  const rewrites = lines && part.args.slice(0, code.next).some(({ value }) => rewritesFiles(value, code.language))
  return part.args.slice(code.next).flatMap((word: CommandWord): SpelledPath[] => {
    if (word.value?.startsWith('-') === true) return []
    if (rewrites) return [spelled(word, 'write', false)]
    return word.value !== null && looksLikePath(word.value) ? [spelled(word, 'read', false)] : []
  })
}

function rewritesFiles(value: string | null, language: InlineCode['language']): boolean {
  if (value === null) return false
  return language === 'awk' ? value === 'inplace' || value === '-iinplace' : /^-[acdlnpswW0-7]{0,8}i/.test(value)
}
