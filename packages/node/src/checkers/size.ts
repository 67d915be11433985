import {
  type CheckAnswer,
  type Checker,
  type CheckInput,
  CountersignError,
  changedTargets,
  countWords,
  numberOf,
  sizeWords,
} from '@countersign/core'
import { countTrees, readTree } from '../backups/file-tree.ts'
import { writtenBytes } from './written-bytes.ts'

/** Whether one call writes or deletes more than it should: the text it carries, the trees it takes away. */
export function sizeChecker(): Checker {
  return {
    name: 'size',
    check(input) {
      const written = checkWritten(input)
      if (written?.status === 'fail') return written
      const deleted = checkDeleted(input)
      return deleted ?? written ?? { status: 'skip', message: 'it does not name a file that it writes or deletes' }
    },
  }
}

function checkWritten({ call, risk, settings }: CheckInput): CheckAnswer | null {
  if (call.descriptor.kind !== 'write' && !risk.paths.some(({ use }) => use === 'write')) return null
  const bytes = writtenBytes(call)
  const most = numberOf(settings, 'size', 'most')
  if (bytes <= most) return { status: 'pass', message: `it writes at most ${sizeWords(bytes)}` }
  return tooMuch(`it may write ${sizeWords(bytes)}, and ${sizeWords(most)} are allowed`, { bytes, most })
}

function checkDeleted(input: CheckInput): CheckAnswer | null {
  const deleted = new Set(
    input.risk.paths.flatMap(({ use, real }) => (use === 'delete' && real !== null ? [real] : [])),
  )
  const { known, unknown } = changedTargets(input)
  const targets = new Set(known.flatMap(({ real }) => (deleted.has(real) ? [real] : [])))
  const files = numberOf(input.settings, 'size', 'files')
  const bytes = numberOf(input.settings, 'size', 'deleted')
  try {
    const count = countTrees({ files, bytes })
    for (const real of targets) readTree(real, count)
    if (unknown.length > 0 && input.risk.paths.some(({ use, real }) => use === 'delete' && real === null))
      return { status: 'warn', message: `it is unknown how much \`${unknown[0] ?? ''}\` deletes` }
    if (targets.size === 0) return null
    const { size } = count
    return { status: 'pass', message: `it deletes ${countWords(size.files, 'file')}, ${sizeWords(size.bytes)}` }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return tooMuch(`it deletes too much: ${error.message}`, { files, bytes })
  }
}

function tooMuch(message: string, details: { readonly [name: string]: number }): CheckAnswer {
  return {
    status: 'fail',
    message,
    details,
    suggestion: 'do less at once, or raise the limit with `size: { … }`',
    overridable: true,
  }
}
