/** An IP address as bytes: 4 or 16. */
export type IpBytes = readonly number[]

/** The bytes of an address in its normal form, as `URL` writes it, without brackets; null for a name. */
export function ipBytes(text: string): IpBytes | null {
  return text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text)
}

function ipv4Bytes(text: string): IpBytes | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

function ipv6Bytes(text: string): IpBytes | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map(groupsOf)
  if (head === null || tail === null || head === undefined) return null
  if (tail === undefined) return head.length === 16 ? head : null
  const missing = 16 - head.length - tail.length
  return missing < 2 ? null : [...head, ...new Array<number>(missing).fill(0), ...tail]
}

function groupsOf(text: string): IpBytes | null {
  if (text === '') return []
  const bytes: number[] = []
  const groups = text.split(':')
  for (const [at, group] of groups.entries()) {
    const four = at === groups.length - 1 && group.includes('.') ? ipv4Bytes(group) : null
    if (four !== null) bytes.push(...four)
    else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    } else return null
  }
  return bytes
}

/**
 * The IPv4 address that an IPv6 address stands for: mapped (`::ffff:1.2.3.4`), translated, compatible (`::1.2.3.4`),
 * behind NAT64 and 6to4, in ISATAP and Teredo. Null if there is none.
 */
export function embeddedIpv4(bytes: IpBytes): IpBytes | null {
  if (bytes.length !== 16) return null
  const starts = (...prefix: readonly number[]): boolean => prefix.every((byte, at) => bytes[at] === byte)
  const isZero = (from: number, to: number): boolean => bytes.slice(from, to).every((byte) => byte === 0)
  const last = bytes.slice(12)
  if (isZero(0, 10) && bytes[10] === 255 && bytes[11] === 255) return last
  if (isZero(0, 8) && bytes[8] === 255 && bytes[9] === 255 && isZero(10, 12)) return last
  if (isZero(0, 12)) return isZero(12, 15) ? null : last
  if (starts(0, 0x64, 0xff, 0x9b)) return last
  if (starts(0x20, 0x02)) return bytes.slice(2, 6)
  if (starts(0x20, 0x01, 0, 0)) return last.map((byte) => byte ^ 255)
  if ((bytes[8] ?? 0) % 4 === (bytes[8] ?? 0) % 2 && bytes[10] === 0x5e && bytes[11] === 0xfe) return last
  return null
}
