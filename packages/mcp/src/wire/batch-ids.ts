import { scanMembers } from '../json/member-scanner.ts'
import { BROKEN, DEEP, skipSpace, skipValue } from '../json/value-skipper.ts'
import type { RawId } from './message.ts'

const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b

/** INVARIANT: L10. A batch is refused whole; no more ids of it than these are answered. */
const MOST_IDS = 1000
const LONGEST_ID = 1024

/** The ids of the messages in a batch that begins at `from`, so that each can be answered. */
export function readBatchIds(bytes: Buffer, from: number): readonly RawId[] {
  const ids: RawId[] = []
  let at = skipSpace(bytes, from + 1)
  while (at < bytes.length && ids.length < MOST_IDS) {
    const members = bytes[at] === OPEN_OBJECT ? scanMembers(bytes, at, bytes.length, null) : BROKEN
    const after = typeof members === 'number' ? skipValue(bytes, at, bytes.length) : members.end
    if (after === BROKEN || after === DEEP) return ids
    const id = typeof members === 'number' ? undefined : members.spans.get('id')
    const first = id === undefined ? undefined : bytes[id.from]
    if (id !== undefined && first !== OPEN_OBJECT && first !== OPEN_ARRAY && id.to - id.from <= LONGEST_ID) {
      const raw = bytes.toString('utf8', id.from, id.to)
      if (raw !== 'null' && raw !== 'true' && raw !== 'false') ids.push(raw)
    }
    at = skipSpace(bytes, after)
    if (bytes[at] !== COMMA) return ids
    at = skipSpace(bytes, at + 1)
  }
  return ids
}
