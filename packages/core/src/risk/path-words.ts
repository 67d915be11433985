import type { CommandPart, CommandWord } from '../command/decomposition.ts'
import { SHELLS } from '../command/shells.ts'
import { findVerb } from '../command/verb.ts'
import { gitFolders } from './git-folders.ts'
import { interpreterOf } from './interpreter-names.ts'
import {
  guessed,
  isRemote,
  isUrl,
  optionValue,
  plainWords,
  type Reader,
  type SpelledPath,
  spelled,
  type Use,
} from './spelled-path.ts'
import { wordSet } from './word-set.ts'

/** Programs whose plain words are all files. */
const PLAIN_USES: ReadonlyMap<string, Use> = new Map([
  ...[...wordSet('rm rmdir unlink shred srm wipe trash')].map((name): [string, Use] => [name, 'delete']),
  ...[...wordSet('tee touch mkdir truncate patch mkfifo gzip gunzip bzip2 bunzip2 xz unxz zstd shfmt')].map(
    (name): [string, Use] => [name, 'write'],
  ),
  ...[
    ...wordSet(
      'cat tac head tail less more wc uniq nl od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum ' +
        'sha512sum cksum file stat diff cmp comm paste fold fmt column rev cut bat zcat zless gpg ls dir tree du ' +
        'cd pushd realpath readlink test [ source .',
    ),
  ].map((name): [string, Use] => [name, 'read']),
])

const SOFT = wordSet(
  'ls dir tree du cd pushd realpath readlink test [ stat file mkdir touch rmdir mkfifo find fd chmod ln',
)

const SILENT = wordSet(
  'echo printf export declare local typeset readonly alias true false : sleep kill wait set unset trap ' +
    'eval exit return',
)

const all =
  (use: Use, soft: boolean): Reader =>
  (part) =>
    plainWords(part).map((word) => spelled(word, use, soft))

/** All but the last are read (or moved away), the last is written; with `-t` all are sources. */
const copying =
  (source: Use): Reader =>
  (part) => {
    const words = plainWords(part, COPY_VALUES).filter((word) => word.value === null || !isUrl(word.value))
    const into = optionValue(part, ['-t', '--target-directory'])
    const sources = into === null ? words.slice(0, -1) : words
    const last = into ?? words.at(-1)
    const local = (word: CommandWord) => word.value === null || !isRemote(word.value)
    return [
      ...sources.filter(local).map((word) => spelled(word, source, false)),
      ...(last === undefined || !local(last) ? [] : [spelled(last, 'write', false)]),
    ]
  }

const COPY_VALUES = wordSet(
  '-t --target-directory -e --rsh -P -i -F -o -S -m --mode -g --group --exclude --include -J -c -l',
)

const after =
  (count: number, use: Use, soft: boolean): Reader =>
  (part) =>
    plainWords(part)
      .slice(count)
      .map((word) => spelled(word, use, soft))

const sed: Reader = (part) => {
  const inPlace = part.args.some((word) => word.value !== null && /^(?:-[nErsuz]*i|--in-place)/.test(word.value))
  const scripted = part.args.some(
    (word) => word.value !== null && /^(?:-[nErsuz]*[ef]|--expression|--file)/.test(word.value),
  )
  const words = plainWords(part, wordSet('-e -f --expression --file -l'))
  return words.slice(scripted ? 0 : 1).map((word) => spelled(word, inPlace ? 'write' : 'read', false))
}

const dd: Reader = (part) =>
  part.args.flatMap((word) => {
    if (word.value === null) return [spelled(word, 'write', false)]
    if (word.value.startsWith('of=')) return [spelled(word, 'write', false, word.value.slice(3))]
    return word.value.startsWith('if=') ? [spelled(word, 'read', false, word.value.slice(3))] : []
  })

const tar: Reader = (part) => {
  const mode = part.args[0]?.value ?? ''
  const extracts =
    /^-?[a-zA-Z]*x/.test(mode) || part.args.some((word) => word.value === '--extract' || word.value === '-x')
  const folder = optionValue(part, ['-C', '--directory', '--one-top-level'])
  const words = plainWords(part, wordSet('-C --directory -T -X --exclude --one-top-level')).slice(
    mode.startsWith('-') ? 0 : 1,
  )
  const target = folder === null ? [] : [spelled(folder, extracts ? 'write' : 'read', false)]
  if (extracts)
    return [...words.slice(0, 1).map((word) => spelled(word, 'read', false)), ...(target.length > 0 ? target : [HERE])]
  return [
    ...words.map((word, at) => spelled(word, at === 0 && /c|r|u/.test(mode) ? 'write' : 'read', false)),
    ...target,
  ]
}

const HERE: SpelledPath = { given: '.', lookup: '.', glob: false, use: 'write', soft: false }

const gitWords: Reader = (part) => {
  const verb = findVerb(part)
  if (verb.kind !== 'verb') return guessed(part)
  const use: Use | null =
    verb.verb === 'rm' ? 'delete' : verb.verb === 'restore' || verb.verb === 'checkout' ? 'write' : null
  if (use === null) return guessed(part)
  const dashes = verb.rest.findIndex((word) => word.value === '--')
  const words = dashes === -1 && verb.verb === 'checkout' ? [] : verb.rest.slice(dashes + 1)
  return words
    .filter((word) => word.value === null || !word.value.startsWith('-'))
    .map((word) => spelled(word, use, false))
}

const git: Reader = (part) => {
  const folders = gitFolders(part).filter((folder) => folder !== '.' || (part.cwd !== '' && part.cwd !== null))
  const worked = gitWords(part)
  return [
    ...folders.map((folder) => spelled({ text: folder, value: folder, glob: false }, 'read', true)),
    ...worked.filter(({ given, use }) => use !== 'read' || !folders.includes(given)),
  ]
}

const find: Reader = (part) => {
  const use: Use = part.args.some((word) => word.value === '-delete') ? 'delete' : 'read'
  const paths: SpelledPath[] = []
  for (const word of part.args) {
    if (word.value !== null && /^[-(!]/.test(word.value)) break
    paths.push(spelled(word, use, true))
  }
  const written = ['-fprint', '-fprint0', '-fprintf', '-fls']
    .map((name) => optionValue(part, [name]))
    .filter((word) => word !== null)
  const starts = paths.length === 0 && use === 'delete' ? [{ ...HERE, use }] : paths
  return [...starts, ...written.map((word) => spelled(word, 'write', false))]
}

const sort: Reader = (part) => {
  const output = optionValue(part, ['-o', '--output'])
  const inputs = plainWords(part, wordSet('-o --output -k -t -S -T --key --field-separator')).map((word) =>
    spelled(word, 'read', false),
  )
  return output === null ? inputs : [...inputs, spelled(output, 'write', false)]
}

/** A shell or an interpreter with a script: the script runs, its arguments are guessed. */
const script: Reader = (part) => {
  if (
    part.args.some(
      (word) => word.value !== null && /^(?:-[a-zA-Z]{0,8}[cemprE]|--eval|--print|--command)$/.test(word.value),
    )
  )
    return guessed(part)
  const [first] = plainWords(part, wordSet('-o -O -r --require --import --rcfile --init-file -W -X'))
  if (first === undefined || first.value === '-') return guessed(part)
  return [spelled(first, 'execute', false), ...guessed(part).filter((path) => path.given !== first.value)]
}

/** The file a URL's last name gives. */
function byAddress(word: CommandWord): SpelledPath[] {
  const name =
    word.value !== null && isUrl(word.value) ? /\/([\w.-]{1,255})(?:[?#]|$)/.exec(word.value)?.[1] : undefined
  return name === undefined ? [] : [spelled({ ...word, glob: false }, 'write', false, name)]
}

const curl: Reader = (part) => {
  const named = part.args.some(
    ({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}O[a-zA-Z]{0,8}|--remote-name)$/.test(value),
  )
  return named ? [...guessed(part), ...part.args.flatMap(byAddress)] : guessed(part)
}

/** Without `-O` a file is named by its address; `-O -` prints. */
const wget: Reader = (part) => {
  const at = part.args.findIndex(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,8}O|--output-document)/.test(value))
  const option = part.args[at]
  if (option?.value == null) return [...guessed(part), ...part.args.flatMap(byAddress)]
  const joined = /^(?:-[a-zA-Z]{0,8}O|--output-document=)(.+)$/s.exec(option.value)?.[1]
  const file = joined === undefined ? part.args[at + 1] : option
  if (file === undefined || (joined ?? file.value) === '-') return guessed(part)
  return [...guessed(part), spelled(file, 'write', false, joined ?? file.value)]
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['mv', copying('delete')],
  ['cp', copying('read')],
  ['install', copying('read')],
  ['ln', (part) => copying('read')(part).map((path) => ({ ...path, soft: true }))],
  ['rsync', copying('read')],
  ['scp', copying('read')],
  ['chmod', after(1, 'write', true)],
  ['chown', after(1, 'write', false)],
  ['chgrp', after(1, 'write', false)],
  ['chattr', after(1, 'write', false)],
  ['setfacl', after(0, 'write', false)],
  ['sort', sort],
  ['sed', sed],
  ['gsed', sed],
  ['dd', dd],
  ['tar', tar],
  ['git', git],
  ['find', find],
  ['grep', (part) => guessed(part, 1)],
  ['egrep', (part) => guessed(part, 1)],
  ['rg', (part) => guessed(part, 1)],
  ['ag', (part) => guessed(part, 1)],
  ['awk', (part) => guessed(part, 1)],
  ['jq', (part) => guessed(part, 1)],
  ['curl', curl],
  ['wget', wget],
  ['zip', (part) => plainWords(part).map((word, at) => spelled(word, at === 0 ? 'write' : 'read', false))],
])

const WRITES = wordSet('> >> >| &> &>> >& <>')

/** Every path a simple command names: its redirections, its own program when named by path, its arguments. */
export function spelledPaths(part: CommandPart): readonly SpelledPath[] {
  const paths: SpelledPath[] = part.redirections.map(({ operator, target }) => ({
    given: target ?? operator,
    lookup: target,
    glob: false,
    use: WRITES.has(operator) ? 'write' : 'read',
    soft: false,
  }))
  if (part.path?.includes('/'))
    paths.push({ given: part.path, lookup: part.path, glob: false, use: 'execute', soft: false })
  const name = part.program?.toLowerCase() ?? ''
  if (SILENT.has(name)) return paths
  const plain = PLAIN_USES.get(name)
  const runs = SHELLS.has(name) || interpreterOf(name) !== null
  const reader = READERS.get(name) ?? (runs ? script : plain === undefined ? guessed : all(plain, SOFT.has(name)))
  for (const path of reader(part)) paths.push(path)
  return paths
}
