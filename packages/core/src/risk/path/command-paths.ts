import { AWKS, inlineCode } from '../../command/code/inline-code.ts'
import type { CommandPart, Redirection } from '../../command/model/decomposition.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import { lowerCase } from '../../command/programs/lower-case.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { gitFolders } from '../arguments/git-directories.ts'
import { interpreterOf } from '../arguments/interpreter-names.ts'
import { wordSet } from '../arguments/word-set.ts'
import { codePaths } from './code-paths.ts'
import { CURL_VALUES, FETCH_READERS, savedByAddress } from './download-paths.ts'
import {
  after,
  compress,
  copying,
  dd,
  FILTER_VALUES,
  find,
  rm,
  rsync,
  sed,
  sort,
  tar,
  tree,
  unzip,
} from './file-program-paths.ts'
import { SERVICE_READERS } from './service-program-paths.ts'
import {
  guessed,
  looksLikePath,
  plainWords,
  type Reader,
  type SpelledPath,
  spelled,
  type Use,
} from './unresolved-path.ts'

/** Programs whose plain words are all files. */
const PLAIN_USES: ReadonlyMap<string, Use> = new Map([
  ...[...wordSet('unlink shred srm wipe trash trash-put rimraf del-cli')].map((name): [string, Use] => [
    name,
    'delete',
  ]),
  ...[
    ...wordSet('tee touch mkdir rmdir truncate patch mkfifo shfmt dos2unix ' + 'unix2dos fallocate mkdirp sponge'),
  ].map((name): [string, Use] => [name, 'write']),
  ...[
    ...wordSet(
      'cat tac head tail less more wc uniq nl od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum ' +
        'sha512sum cksum file stat diff cmp comm paste fold fmt column rev cut bat zcat zless gpg ls dir tree du ' +
        'cd pushd realpath readlink test [ source . zgrep zdiff look split csplit md5 shasum xmllint nm objdump sum tsort ' +
        'pr expand unexpand iconv jq yq gron fx glow mdcat exiftool identify ffprobe b2sum sha224sum sha384sum',
    ),
  ].map((name): [string, Use] => [name, 'read']),
])

const SOFT = wordSet(
  'ls dir tree du cd pushd realpath readlink test [ stat file mkdir touch rmdir mkfifo find fd chmod ln mkdirp',
)

const SILENT = wordSet(
  'echo printf export declare local typeset readonly alias true false : sleep kill wait set unset trap ' +
    'eval exit return reg schtasks vssadmin wbadmin bcdedit diskpart cipher net icacls takeown sc wmic wevtutil fsutil netsh taskkill',
)

const all =
  (use: Use, soft: boolean, valued: ReadonlySet<string> | undefined): Reader =>
  (part) => {
    const paths: SpelledPath[] = []
    for (const word of plainWords(part, valued)) if (word.value !== '-') paths.push(spelled(word, use, soft))
    return paths
  }

/** Options by which git leaves the files themselves alone. */
const GIT_KEEPS = wordSet('--staged -S --cached --dry-run -n')

const gitWords: Reader = (part) => {
  const verb = findVerb(part)
  if (verb.kind !== 'verb') return guessed(part)
  const use: Use | null =
    verb.verb === 'rm' ? 'delete' : verb.verb === 'restore' || verb.verb === 'checkout' ? 'write' : null
  if (use === null || verb.rest.some(({ value }) => value !== null && GIT_KEEPS.has(value))) return guessed(part)
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

const SCRIPT_VALUES = wordSet('-o -O -r --require --import --rcfile --init-file -W -X --env-file -S -t')

/** A shell or an interpreter with a script: the script runs, its arguments are guessed. */
const script: Reader = (part) => {
  const code = inlineCode(part.program?.toLowerCase() ?? '', part.args, part.stdin)
  if (code !== null) return codePaths(part, code)
  if (part.args.some(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}[cem]|--command)$/.test(value)))
    return guessed(part)
  const checks = part.args.some(({ value }) => value === '-n' || value === '-l' || value === '--check')
  const words = plainWords(part, SCRIPT_VALUES)
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
  return named ? [...paths, ...savedByAddress(part, ['--output-dir'], CURL_VALUES)] : paths
}

/** `file:///x` is a file of this machine. */
function localFiles(part: CommandPart): SpelledPath[] {
  return part.args.flatMap((word) => {
    const file = /^(?:--url=)?file:\/\/(?:localhost)?(\/.{1,4096})$/is.exec(word.value ?? '')?.[1]
    return file === undefined ? [] : [spelled({ ...word, glob: false }, 'read', false, file)]
  })
}

/** `-sSLo file` and `-ofile`: `-o` behind other letters, or with its value. */
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

/** Without `-O` a file is named by its address; `-O -` prints. */
const wget: Reader = (part) => {
  const at = part.args.findIndex(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}O|--output-document)/.test(value))
  const option = part.args[at]
  const local = localFiles(part)
  if (local.length > 0) return [...guessed(part), ...local]
  if (part.args.some(({ value }) => value === '--spider')) return guessed(part)
  if (option?.value == null) return [...guessed(part), ...savedByAddress(part, ['-P', '--directory-prefix'])]
  const joined = /^(?:-[a-zA-Z]{0,8}O|--output-document=)(.+)$/s.exec(option.value)?.[1]
  const file = joined === undefined ? part.args[at + 1] : option
  if (file === undefined || (joined ?? file.value) === '-') return guessed(part)
  return [...guessed(part), spelled(file, 'write', false, joined ?? file.value)]
}

/** Searches write nothing: their `-o` takes no value. */
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

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...SERVICE_READERS,
  ...FETCH_READERS,
  ['rm', rm],
  ['grm', rm],
  ['rsync', rsync],
  ['bsdtar', tar],
  ['gtar', tar],
  ['unzip', unzip],
  ...[...wordSet('gzip gunzip pigz bzip2 bunzip2 xz unxz lz4 zstd unzstd brotli compress uncompress')].map(
    (name): [string, Reader] => [name, compress],
  ),
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
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack'].map((name): [string, Reader] => [name, searched]),
  ...[...AWKS].map((name): [string, Reader] => [name, script]),
  ['jq', (part) => guessed(part, 1)],
  ['curl', curl],
  ['wget', wget],
  ...['7z', '7za', '7zz', 'rar'].map((name): [string, Reader] => [name, packed]),
  ['zip', (part) => plainWords(part).map((word, at) => spelled(word, at === 0 ? 'write' : 'read', false))],
])

const WRITES = wordSet('> >> >| &> &>> >& <>')

/** Every path a simple command names: its redirections, its own program when named by path, its arguments. */
export function spelledPaths(part: CommandPart): readonly SpelledPath[] {
  const paths: SpelledPath[] = []
  for (const redirection of part.redirections) paths.push(redirected(redirection))
  if (part.path?.includes('/'))
    paths.push({ given: part.path, lookup: part.path, glob: false, use: 'execute', soft: false, manner: undefined })
  const reader = readerOf(lowerCase(part.program ?? ''))
  if (reader === null) return paths
  const read = reader(part)
  if (paths.length === 0 && part.via.length === 0 && !read.some(isPrinted)) return read
  const isFound = part.via.length > 0 && /^(?:find|fd|fdfind|xargs|gxargs)\b/.test(part.via.at(-1) ?? '')
  for (const path of read) if (!isPrinted(path)) paths.push(isFound ? found(path) : path)
  return paths
}

/** What another command prints is no file: that command is a part of its own. */
function isPrinted({ lookup, use, given }: SpelledPath): boolean {
  return lookup === null && use === 'read' && given.startsWith('<(')
}

function redirected({ operator, target, glob }: Redirection): SpelledPath {
  const use = WRITES.has(operator) ? 'write' : 'read'
  if (glob === true) return spelled({ text: target ?? operator, value: target, glob }, use, false)
  return { given: target ?? operator, lookup: target, glob: false, use, soft: false, manner: undefined }
}

/** The reader of every program with one of its own, null where no word is a file; what stands later here counts. */
const READER_BY_NAME: ReadonlyMap<string, Reader | null> = new Map<string, Reader | null>([
  ...[...PLAIN_USES].map(([name, use]): [string, Reader] => [name, all(use, SOFT.has(name), FILTER_VALUES.get(name))]),
  ...[...SHELLS].map((name): [string, Reader] => [name, script]),
  ...READERS,
  ...[...SILENT].map((name): [string, null] => [name, null]),
])

function readerOf(name: string): Reader | null {
  const known = READER_BY_NAME.get(name)
  if (known !== undefined) return known
  return interpreterOf(name) === null ? guessed : script
}

/** A file that `find` or `xargs` fills in: some file below the folder, as a glob; where find starts is rated with find. */
function found(path: SpelledPath): SpelledPath {
  return path.lookup === null && path.use === 'write' ? { ...path, lookup: '.', glob: true } : path
}
