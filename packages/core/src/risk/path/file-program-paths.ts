import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { anyAbbreviation, anyFlag } from '../arguments/flags.ts'
import { sedActs } from '../arguments/sed-script.ts'
import { readTar } from '../arguments/tar-options.ts'
import { wordSet } from '../arguments/word-set.ts'
import { findsRegenerable } from './find-filter.ts'
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

/** Options of filters with a value in the next word: the value is no file. */
export const FILTER_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['head', wordSet('-n -c --lines --bytes')],
  ['tail', wordSet('-n -c --lines --bytes -s --pid')],
  ['cut', wordSet('-d -f -c -b --delimiter --fields --output-delimiter')],
  ['column', wordSet('-s -t -o -N -c')],
  ['paste', wordSet('-d -s')],
  ['fold', wordSet('-w')],
  ['fmt', wordSet('-w')],
  ['xxd', wordSet('-l -s -c -g')],
  ['od', wordSet('-A -t -N -j')],
  ['tree', wordSet('-L -I -P --filelimit')],
  ['du', wordSet('-d --max-depth --exclude -t')],
  ['touch', wordSet('-d -t -r --date --reference')],
  ['truncate', wordSet('-s --size -r')],
  ['mkdir', wordSet('-m --mode')],
  ['shred', wordSet('-n --iterations -s --size')],
  ['split', wordSet('-l -b -n -a --lines --bytes --additional-suffix')],
  ['jq', wordSet('--arg --argjson --indent --tab')],
  ['patch', wordSet('-p -d -i -o -F --strip')],
])

/** `rm` takes a folder only when it is told to. */
export const rm: Reader = (part) => {
  const recursive = anyFlag(part, '-r', '-R', '--recursive') || anyAbbreviation(part, '--recursive')
  return plainWords(part).map((word) =>
    spelled(word, 'delete', false, word.value, recursive && !isFileName(word.value) ? undefined : 'file'),
  )
}

/** A name that is a file's by its ending: `a.ts`, not `.git` and not `src`. */
function isFileName(value: string | null): boolean {
  return value !== null && /[^/.][^/]*\.[a-z][a-z0-9]{0,5}$/i.test(value)
}

/** All but the last are read (or moved away), the last is written; with `-t` all are sources. */
export const copying =
  (source: Use): Reader =>
  (part) => {
    const words = plainWords(part, COPY_VALUES).filter((word) => word.value === null || !isUrl(word.value))
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

const COPY_VALUES = wordSet(
  '-t --target-directory -e --rsh -P -i -F -o -S -m --mode -g --group --exclude --include -J -c -l',
)

export const after =
  (count: number, use: Use, soft: boolean): Reader =>
  (part) =>
    plainWords(part)
      .slice(count)
      .map((word) => spelled(word, use, soft))

export const sed: Reader = (part) => {
  const inPlace = part.args.some((word) => word.value !== null && /^(?:-[nErsuz]*i|--i)/.test(word.value))
  const scripted = part.args.some(
    (word) => word.value !== null && /^(?:-[nErsuz]*[ef]|--expression|--file)/.test(word.value),
  )
  const words = plainWords(part, wordSet('-e -f --expression --file -l'))
  return words
    .filter((word) => !inPlace || word.value !== '')
    .slice(scripted ? 0 : 1)
    .map((word) => spelled(word, inPlace ? 'write' : 'read', false))
    .concat(sedPaths(part))
}

/** Files that a sed script itself writes or reads. */
function sedPaths(part: CommandPart): SpelledPath[] {
  const { writes, reads } = sedActs(part.args)
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
  const [archive] = plainWords(part, wordSet('-d -x -P'))
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

/** Under `-n` rsync only looks. */
export const rsync: Reader = (part) => {
  const dry = anyFlag(part, '-n', '--dry-run')
  return copying('read')(part).map((path) => (dry ? { ...path, use: 'read' as const } : path))
}

const HERE: SpelledPath = { given: '.', lookup: '.', glob: false, use: 'write', soft: false, manner: undefined }

/** Programs that change the files they are given. */
const CHANGERS = wordSet(
  'rm shred srm unlink truncate mv sed gsed perl ruby chmod chown chgrp touch tee ln install patch',
)

/** What `find` does with what it finds: its own deletion, or that of the program it runs. */
function findUse(part: CommandPart): Use {
  if (part.args.some((word) => word.value === '-delete')) return findsRegenerable(part) ? 'read' : 'delete'
  const at = part.args.findIndex(({ value }) => value !== null && /^-(?:exec|ok)(?:dir)?$/.test(value))
  const run = part.args[at + 1]?.value ?? ''
  const rewrites =
    !/^g?sed$|^perl$|^ruby$/.test(run) || part.args.some(({ value }) => /^-[a-zA-Z0-9]{0,6}i/.test(value ?? ''))
  return at !== -1 && CHANGERS.has(run.slice(run.lastIndexOf('/') + 1)) && rewrites ? 'write' : 'read'
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

/** `-o`, also behind other letters, is where a tree is written to. */
export const tree: Reader = (part) => {
  const at = part.args.findIndex(({ value }) => value !== null && /^(?:-[a-zA-Z]{0,20}o|--output)$/.test(value))
  const output = at === -1 ? optionValue(part, ['--output']) : (part.args[at + 1] ?? null)
  const looked = plainWords(part, FILTER_VALUES.get('tree')).filter((word) => word !== output)
  const paths = looked.map((word) => spelled(word, 'read', true))
  return output === null ? paths : [...paths, spelled(output, 'write', false)]
}

export const sort: Reader = (part) => {
  const output = optionValue(part, ['-o', '--output'])
  const inputs = plainWords(part, wordSet('-o --output -k -t -S -T --key --field-separator')).map((word) =>
    spelled(word, 'read', false),
  )
  return output === null ? inputs : [...inputs, spelled(output, 'write', false)]
}
