import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import { programRow, valuedOptionsOf } from '../../knowledge/programs.ts'
import type { WordSet } from '../../knowledge/words.ts'
import { optionsOf, provingTable } from '../arguments/known-options.ts'
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

/** A URL with or without its scheme, and the last name in its path. */
const URL_NAME =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?[\w-][\w.@:-]{0,255}\/(?:[^?#]{0,2048}\/)?([\w.+~-]{1,255})(?:[?#]|$)/i

/** The file that the URL in a word is saved to; null if the URL has no file name. */
function savedFile(word: CommandWord, folder: string): SpelledPath | null {
  const name = word.value === null ? undefined : URL_NAME.exec(word.value)?.[1]
  return name === undefined ? null : spelled({ ...word, glob: false }, 'write', false, folder + name)
}

/** The folder that one of these options sets, or the current one. */
function folderOption(part: CommandPart, names: readonly string[]): string {
  const folder = optionValue(part, names)?.value ?? ''
  return folder === '' || folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`
}

/** Files named after their URLs, as `wget` and `curl -O` save them. */
export function savedByUrl(
  part: CommandPart,
  folders: readonly string[],
  valued: WordSet = PATH_ARGUMENTS.downloadOptions,
): SpelledPath[] {
  const folder = folderOption(part, folders)
  return part.args.flatMap((word, at) => {
    const before = part.args[at - 1]?.value ?? ''
    if (word.value === null || word.value.startsWith('-') || valued.has(before)) return []
    return savedFile(word, folder) ?? []
  })
}

/** Downloaders that name the file after its URL unless an option names it. */
const downloader: Reader = (part) => saved(part, ['-d', '--dir'], PATH_ARGUMENTS.downloadOptions)

function saved(part: CommandPart, folders: readonly string[], valued: WordSet): SpelledPath[] {
  const output = optionValue(part, ['-o', '--out', '--output'])
  if (output === null) return [...guessed(part), ...savedByUrl(part, folders, valued)]
  const path = output.value === null ? null : folderOption(part, folders) + output.value
  return [...guessed(part), spelled(output, 'write', false, path)]
}

/** HTTPie and xh save only with an option. */
const httpie: Reader = (part) => {
  const saves = part.args.some(({ value }) => value !== null && /^(?:--download|-[a-z]{0,4}d)$/.test(value))
  const sent = part.args.flatMap((word) => {
    const file = /^[\w.-]{1,64}(?:=|:=)?@([^@;]{1,1024})/.exec(word.value ?? '')?.[1]
    return file === undefined || /^[\w.-]+@[\w-]+\.[\w.-]+(?:[:/]|$)/.test(word.value ?? '')
      ? []
      : [spelled(word, 'read', false, file)]
  })
  return saves ? [...saved(part, [], PATH_ARGUMENTS.httpieOptions), ...sent] : [...guessed(part), ...sent]
}

/** `cp source target` between a bucket or another machine and here: a download keeps its name in a folder. */
export const bucketPaths: Reader = (part) => {
  const words = plainWords(part, PATH_ARGUMENTS.bucketOptions)
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

/** `gh release download`: files that match a pattern, or all of them. */
const gh: Reader = (part) => {
  const [first, second] = part.args
  if (!/^(?:release|run)$/.test(first?.value ?? '') || second?.value !== 'download') return guessed(part)
  const folder = folderOption(part, ['-D', '--dir'])
  const named = optionValue(part, ['-p', '--pattern', '-O', '--output'])
  if (named?.value == null || /[*?[]/.test(named.value))
    return folder === '' ? [HERE] : [{ ...HERE, given: folder, lookup: folder.slice(0, -1) }]
  return [spelled({ ...named, glob: false }, 'write', false, folder + named.value)]
}

/** Files that a script of `lftp -c 'get file'` or `sftp host <<< 'put file'` downloads and uploads. */
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
    ...savedByUrl(part, []).filter(({ given }) => lowerCase(part.program ?? '') === 'ftp' && given !== ''),
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

/** `uniq input output`: the second word is written. */
const filtered: Reader = (part) =>
  wordsOf(part)
    .map((word, at) => ({ word, use: at === 1 ? ('write' as const) : ('read' as const) }))
    .filter(({ word }) => word.value !== '-')
    .map(({ word, use }) => spelled(word, use, false))

/** The words of a program, by its option table if it has one: a value that is taken for a word would hide what is written. */
function wordsOf(part: CommandPart): readonly CommandWord[] {
  const program = lowerCase(part.program ?? '')
  const row = programRow(program)
  const reading = row === undefined ? undefined : optionsOf(part, row)
  if (reading !== undefined && provingTable(reading) !== null) return reading.words
  return plainWords(part, valuedOptionsOf(program))
}

/** Programs that bring files from elsewhere. */
export const DOWNLOAD_READERS: readonly (readonly [string, Reader])[] = [
  ['aria2c', downloader],
  ['axel', downloader],
  ['wget2', downloader],
  ['http', httpie],
  ['https', httpie],
  ['xh', httpie],
  ['xhs', httpie],
  ['gsutil', bucketPaths],
  ['rclone', bucketPaths],
  ['s3cmd', bucketPaths],
  ['s5cmd', bucketPaths],
  ['mc', bucketPaths],
  ['gh', gh],
  ['lftp', transfers],
  ['sftp', transfers],
  ['ftp', transfers],
  ['tftp', tftp],
  ['java', java],
  ...[...PATH_ARGUMENTS.secondWritten].map((name): [string, Reader] => [name, filtered]),
]
