const BLOCK = 512
/** Plain files and folders. Links, devices and sparse files are not read. */
const FILE = /^[0\0]$/
const FOLDER = '5'
const LONG_NAME = 'L'
const OWN_RECORDS = 'x'
const COMMON_RECORDS = 'g'
/** What a record of a member may say besides its name: nothing about links or sizes. */
const RECORDS: ReadonlySet<string> = new Set([
  'path',
  'mtime',
  'atime',
  'ctime',
  'uid',
  'gid',
  'uname',
  'gname',
  'comment',
])

/** The names in a tar archive; undefined unless it has one plain reading, as POSIX or GNU tar write it. */
export function tarMembers(bytes: Buffer): readonly string[] | undefined {
  const names: string[] = []
  let given: string | undefined
  let isNamed = false
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    if (isZero(header)) return isZero(bytes.subarray(at)) ? names : undefined
    const size = numberIn(header, 124, 12)
    const mode = numberIn(header, 100, 8)
    if (size === undefined || mode === undefined || !hasChecksum(header)) return undefined
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length !== size) return undefined
    at += BLOCK * (1 + Math.ceil(size / BLOCK))
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === COMMON_RECORDS) {
      const records = recordsIn(content)
      if (records === undefined || [...records.keys()].some((key) => key !== 'comment')) return undefined
    } else if (type === LONG_NAME || type === OWN_RECORDS) {
      // Which of several names counts is not the same for all programs.
      if (isNamed) return undefined
      isNamed = true
      const records = type === OWN_RECORDS ? recordsIn(content) : undefined
      given = type === LONG_NAME ? textIn(content) : records?.get('path')
      if (type === LONG_NAME ? given === undefined : records === undefined || given === '') return undefined
    } else {
      const name = given ?? nameIn(header)
      given = undefined
      isNamed = false
      const isFolder = type === FOLDER
      if (name === undefined || (!FILE.test(type) && !isFolder) || (isFolder && size > 0) || mode > 0o777)
        return undefined
      names.push(name)
    }
  }
  return undefined
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

/** An octal number; undefined for other forms. */
function numberIn(header: Buffer, start: number, length: number): number | undefined {
  const text = header.toString('latin1', start, start + length)
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

function hasChecksum(header: Buffer): boolean {
  let sum = 8 * 32
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return numberIn(header, 148, 8) === sum
}

/** Text up to its end, in plain characters only. */
function textIn(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0)
  const text = bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined
}

function nameIn(header: Buffer): string | undefined {
  const name = textIn(header.subarray(0, 100))
  const prefix = header.subarray(345, 500)
  if (name === undefined || isZero(prefix)) return name
  const before = header.toString('latin1', 257, 263) === 'ustar\0' ? textIn(prefix) : undefined
  return before === undefined ? undefined : `${before}/${name}`
}

/** Records such as `18 path=some/name\n`; undefined if one is not known. */
function recordsIn(content: Buffer): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length; ) {
    const length = Number(/^(\d{1,6}) /.exec(content.toString('latin1', at, at + 7))?.[1])
    const record = content.toString('latin1', at, at + length)
    const [, key = '', value = ''] = /^\d+ ([\w.]+)=([\x20-\x7e]*)\n$/.exec(record) ?? []
    if (!RECORDS.has(key) || records.has(key)) return undefined
    records.set(key, value)
    at += length
  }
  return records
}
