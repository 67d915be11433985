const END_BYTES = 22
const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const LOCAL_MARK = 0x04034b50
/** Another name for a member, which some programs prefer. */
const UNICODE_PATH = 0x7075
const ENCRYPTED = 1
const TYPES = { none: 0, file: 0o10, folder: 0o4 }
/** What all members may add up to. */
const MOST_BYTES = 256 * 1024 * 1024

/** The names in a zip archive; undefined unless it has one plain reading. */
export function zipMembers(bytes: Buffer): readonly string[] | undefined {
  const end = bytes.length - END_BYTES
  // Without a comment, the list of members ends exactly here.
  if (end < 0 || bytes.readUInt32LE(end) !== END_MARK || bytes.readUInt32LE(end + 4) !== 0) return undefined
  const count = bytes.readUInt16LE(end + 10)
  const size = bytes.readUInt32LE(end + 12)
  const start = bytes.readUInt32LE(end + 16)
  if (bytes.readUInt16LE(end + 8) !== count || start + size !== end || count === 0xffff) return undefined
  const names: string[] = []
  let total = 0
  let at = start
  for (let index = 0; index < count; index++) {
    const entry = entryAt(bytes, at, end)
    if (entry === undefined || !isSame(bytes, entry, start)) return undefined
    names.push(entry.name)
    total += entry.size
    at = entry.next
  }
  return at === end && total <= MOST_BYTES ? names : undefined
}

interface Entry {
  readonly name: string
  readonly size: number
  /** Where its content is. */
  readonly local: number
  readonly next: number
}

function entryAt(bytes: Buffer, at: number, end: number): Entry | undefined {
  if (at + 46 > end || bytes.readUInt32LE(at) !== ENTRY_MARK) return undefined
  const system = bytes[at + 5]
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  const next = extraEnd + bytes.readUInt16LE(at + 32)
  const mode = bytes.readUInt32LE(at + 38) >>> 16
  const type = mode >>> 12
  const isPlain = type === TYPES.none || type === TYPES.file || type === TYPES.folder
  if (next > end || (system !== 0 && system !== 3) || !isPlain || (mode & 0o7000) !== 0) return undefined
  if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0 || hasOtherName(bytes.subarray(nameEnd, extraEnd)))
    return undefined
  const name = bytes.toString('latin1', at + 46, nameEnd)
  // `unzip` takes a version such as `;1` away from the end of a name.
  if (!/^[\x20-\x7e]+$/.test(name) || name.includes(';')) return undefined
  return { name, size: bytes.readUInt32LE(at + 24), local: bytes.readUInt32LE(at + 42), next }
}

/** Whether the header beside the content says the same as the list. */
function isSame(bytes: Buffer, { name, local }: Entry, start: number): boolean {
  if (local + 30 > start || bytes.readUInt32LE(local) !== LOCAL_MARK) return false
  const nameEnd = local + 30 + bytes.readUInt16LE(local + 26)
  const extraEnd = nameEnd + bytes.readUInt16LE(local + 28)
  if (extraEnd > start || bytes.toString('latin1', local + 30, nameEnd) !== name) return false
  return !hasOtherName(bytes.subarray(nameEnd, extraEnd))
}

function hasOtherName(extra: Buffer): boolean {
  for (let at = 0; at < extra.length; ) {
    if (at + 4 > extra.length || extra.readUInt16LE(at) === UNICODE_PATH) return true
    at += 4 + extra.readUInt16LE(at + 2)
    if (at > extra.length) return true
  }
  return false
}
