import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/lower-case.ts'
import { wordSet } from '../arguments/word-set.ts'
import {
  guessed,
  isRemote,
  isUrl,
  optionValue,
  plainWords,
  type Reader,
  type SpelledPath,
  spelled,
} from './unresolved-path.ts'

/** An address with or without its scheme, and the name of what lies there. */
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?[\w-][\w.@:-]{0,255}\/(?:[^?#]{0,2048}\/)?([\w.+~-]{1,255})(?:[?#]|$)/i
/** Options of curl whose value is no address. */
export const CURL_VALUES = wordSet(
  '-o -T -d -F -H -u -x -A -e -b -c -K -E -X -m -D -w --output --output-dir --upload-file --data --form --header --user ' +
    '--proxy --user-agent --referer --cookie --cookie-jar --config --cert --key --cacert --capath --retry --max-time ' +
    '--resolve --connect-to',
)
/** The same for wget and for fetchers like it, where `-c` goes on with what was begun. */
const FETCH_VALUES = wordSet(
  '-o -O -P -U -a -i -d --dir --out --output --output-document --directory-prefix --input-file --header --user-agent --proxy',
)

/** The file that the address in a word leaves in a folder; null when it gives no name. */
function byAddress(word: CommandWord, folder: string): SpelledPath | null {
  const name = word.value === null ? undefined : ADDRESS.exec(word.value)?.[1]
  return name === undefined ? null : spelled({ ...word, glob: false }, 'write', false, folder + name)
}

/** Where files are put: the value of such an option, or the folder one is in. */
function folderBy(part: CommandPart, names: readonly string[]): string {
  const folder = optionValue(part, names)?.value ?? ''
  return folder === '' || folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`
}

/** Files named by their addresses, as `wget`, `curl -O` and their like save them. */
export function savedByAddress(part: CommandPart, folders: readonly string[], valued = FETCH_VALUES): SpelledPath[] {
  const folder = folderBy(part, folders)
  return part.args.flatMap((word, at) => {
    const before = part.args[at - 1]?.value ?? ''
    if (word.value === null || word.value.startsWith('-') || valued.has(before)) return []
    return byAddress(word, folder) ?? []
  })
}

/** Fetchers that name the file by its address unless they are told a name. */
const fetcher: Reader = (part) => saved(part, ['-d', '--dir'], FETCH_VALUES)

function saved(part: CommandPart, folders: readonly string[], valued: ReadonlySet<string>): SpelledPath[] {
  const given = optionValue(part, ['-o', '--out', '--output'])
  if (given === null) return [...guessed(part), ...savedByAddress(part, folders, valued)]
  const path = given.value === null ? null : folderBy(part, folders) + given.value
  return [...guessed(part), spelled(given, 'write', false, path)]
}

const HTTPIE_VALUES = wordSet('-o --output -a --auth -A --auth-type --session --proxy --verify --cert --cert-key')

/** HTTPie and xh save only when they are told to. */
const httpie: Reader = (part) => {
  const saves = part.args.some(({ value }) => value !== null && /^(?:--download|-[a-z]{0,4}d)$/.test(value))
  const sent = part.args.flatMap((word) => {
    const file = /^[\w.-]{1,64}(?:=|:=)?@([^@;]{1,1024})/.exec(word.value ?? '')?.[1]
    return file === undefined || /^[\w.-]+@[\w-]+\.[\w.-]+(?:[:/]|$)/.test(word.value ?? '')
      ? []
      : [spelled(word, 'read', false, file)]
  })
  return saves ? [...saved(part, [], HTTPIE_VALUES), ...sent] : [...guessed(part), ...sent]
}

/** `cp source target` between a store or another machine and here: what comes from there keeps its name in a folder. */
const bucket: Reader = (part) => {
  const words = plainWords(part, wordSet('--profile --region --exclude --include --storage-class --acl --endpoint-url'))
  const target = words.at(-1)
  const source = words.at(-2)
  const from = source?.value ?? ''
  if (target?.value == null || target.value === '-' || !(isUrl(from) || isRemote(from)) || isUrl(target.value))
    return guessed(part)
  const name = from.slice(Math.max(from.lastIndexOf('/'), from.lastIndexOf(':')) + 1)
  const folder = /^\.{0,2}$|\/$/.test(target.value) || !/\.[A-Za-z0-9]{1,6}$/.test(target.value)
  const path = target.value === '.' ? name : `${target.value.replace(/\/+$/, '')}/${name}`
  return [
    ...guessed(part).filter(({ given }) => given !== target.value),
    spelled(target, 'write', folder, folder && name !== '' ? path : target.value),
  ]
}

const HERE: SpelledPath = { given: '.', lookup: '.', glob: false, use: 'write', soft: true }

/** `gh release download`: by patterns, or everything there is. */
const gh: Reader = (part) => {
  const [first, second] = part.args
  if (!/^(?:release|run)$/.test(first?.value ?? '') || second?.value !== 'download') return guessed(part)
  const folder = folderBy(part, ['-D', '--dir'])
  const named = optionValue(part, ['-p', '--pattern', '-O', '--output'])
  if (named?.value == null || /[*?[]/.test(named.value))
    return folder === '' ? [HERE] : [{ ...HERE, given: folder, lookup: folder.slice(0, -1) }]
  return [spelled({ ...named, glob: false }, 'write', false, folder + named.value)]
}

/** `lftp -c 'get file'` and `sftp host <<< 'put file'`: what a script of theirs brings and takes. */
const transfers: Reader = (part) => {
  const script = [optionValue(part, ['-c', '-e'])?.value ?? '', part.stdin.kind === 'literal' ? part.stdin.text : '']
  const paths: SpelledPath[] = []
  for (const [, verb, file] of script
    .join('\n')
    .matchAll(/(?:^|[;\n])[ \t]*(m?(?:get|put)|send|recv)[ \t]+(\S{1,1024})/g)) {
    if (file === undefined || paths.length >= 64) break
    const word = { text: file, value: file, glob: false }
    const sends = verb === 'put' || verb === 'mput' || verb === 'send'
    paths.push(spelled(word, sends ? 'read' : 'write', false, sends ? file : file.slice(file.lastIndexOf('/') + 1)))
  }
  return [
    ...guessed(part),
    ...paths,
    ...savedByAddress(part, []).filter(({ given }) => lowerCase(part.program ?? '') === 'ftp' && given !== ''),
  ]
}

/** `tftp host -c put file`. */
const tftp: Reader = (part) => {
  const at = part.args.findIndex(({ value }) => value === 'put')
  const file = at === -1 ? undefined : part.args[at + 1]
  return file === undefined ? guessed(part) : [...guessed(part), spelled(file, 'read', false)]
}

/** The file of `java -jar file` is code. */
const java: Reader = (part) => {
  const file = optionValue(part, ['-jar', '-cp', '-classpath', '--class-path'])
  return file === null
    ? guessed(part)
    : [...guessed(part).filter(({ given }) => given !== file.value), spelled(file, 'read', false)]
}

/** `uniq input output`. */
const uniq: Reader = (part) =>
  plainWords(part, wordSet('-f -s -w --skip-fields --skip-chars --check-chars'))
    .filter(({ value }) => value !== '-')
    .map((word, at) => spelled(word, at === 1 ? 'write' : 'read', false))

/** Programs that bring files from elsewhere, by what they leave behind. */
export const FETCH_READERS: readonly (readonly [string, Reader])[] = [
  ['aria2c', fetcher],
  ['axel', fetcher],
  ['wget2', fetcher],
  ['http', httpie],
  ['https', httpie],
  ['xh', httpie],
  ['xhs', httpie],
  ['gsutil', bucket],
  ['rclone', bucket],
  ['s3cmd', bucket],
  ['s5cmd', bucket],
  ['mc', bucket],
  ['gh', gh],
  ['lftp', transfers],
  ['sftp', transfers],
  ['ftp', transfers],
  ['tftp', tftp],
  ['java', java],
  ['uniq', uniq],
]

/** What `aws s3 cp` and `gcloud storage cp` leave behind. */
export const readBucket = bucket
