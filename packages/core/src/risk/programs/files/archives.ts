import { rowList } from '../../../knowledge/programs.ts'
import { readTar } from '../../arguments/tar-options.ts'
import { typedOptions } from '../../arguments/typed-options.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyAbbreviation, anyFlag, type PartFacts } from '../assessor/assessor.ts'

const TARS = new Set(['tar', 'bsdtar', 'gtar'])
/** Ordinary compressors named by `-I`. */
const COMPRESSOR = /^(?:zstd|pigz|lz4|xz|pixz|gzip|bzip2|pbzip2|lzma|zstdmt|brotli)(?: -[\dT]{1,3})*$/

/** Archives: packing is medium; deleting the inputs or writing outside the folder is high. Paths are rated elsewhere. */
export const assessArchive: Assess = (facts) => {
  const { part, program, row } = facts
  const tar = TARS.has(program)
  const first = part.args[0]?.value ?? ''
  const compressor = part.args.findIndex(({ value }) => value === '-I' || value === '--use-compress-program')
  const usual =
    (compressor !== -1 && COMPRESSOR.test(part.args[compressor + 1]?.value ?? '')) ||
    part.args.some(({ value }) => COMPRESSOR.test(/^(?:-I|--use-compress-program=)(.+)$/.exec(value ?? '')?.[1] ?? ''))
  const dangerous = [...rowList('tar', 'dangerous_options')]
  const powers = usual ? dangerous.filter((flag) => flag !== '--use-compress-program') : dangerous
  if (
    anyFlag(part, ...powers) ||
    anyAbbreviation(part, ...powers) ||
    (tar && (anyFlag(part, '-F', '-P') || (!usual && anyFlag(part, '-I')))) ||
    (tar && !first.startsWith('-') && /^[a-zA-Z]{0,12}[FIP]/.test(first)) ||
    (program === 'ar' && typedOptions(part, row).some(({ type }) => type === 'runs')) ||
    (program === 'zip' && part.args.some(({ value }) => /^-[a-zA-Z]{0,8}TT/.test(value ?? '')))
  ) {
    return finding(
      'high',
      'files.archive-powers',
      `${program} deletes its inputs, writes outside its folder or runs a program`,
    )
  }
  if (program === 'zip' && anyFlag(part, '-m', '--move'))
    return finding('high', 'files.archive-move', 'zip deletes the files it packs', 'no')
  return isListing(
    part.args.map(({ value }) => value ?? ''),
    facts,
  )
    ? finding('none', 'files.archive-list', `${program} only lists or prints`)
    : finding('medium', 'files.archive', `${program} packs or unpacks files`)
}

function isListing(words: readonly string[], { part, program, row }: PartFacts): boolean {
  if (TARS.has(program)) return readTar(part).mode === 'list'
  switch (program) {
    case 'unzip':
      return (
        typedOptions(part, row).every(({ type }) => type !== 'writes') && anyFlag(part, '-l', '-t', '-Z', '-p', '-v')
      )
    case 'zip':
      return anyFlag(part, '-sf', '--show-files')
    case '7z':
    case '7za':
    case '7zz':
    case 'rar':
    case 'unrar':
      return /^[ltvi]/.test(words[0] ?? '')
    case 'ar':
      return /^-?[tp]/.test(words[0] ?? '')
    case 'cpio':
      return anyFlag(part, '-t', '--list') && !anyFlag(part, '-i')
    default:
      return anyFlag(part, '-l', '-t', '-c', '--list', '--test', '--stdout', '--to-stdout')
  }
}
