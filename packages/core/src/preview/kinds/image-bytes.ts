import { decodeBase64 } from '../../call/base64.ts'
import type { OwnImage } from '../model/own-preview.ts'

/** INVARIANT: L10, of one image. */
const MOST_CHARACTERS = 512 * 1024
const MOST_PIXELS = 16_000_000
const LONGEST_SIDE = 8_192

type Facts = Pick<OwnImage, 'type' | 'width' | 'height'>

/**
 * An image from base64 or a `data:` URL, with type and size read from its bytes; null for anything but a small PNG, JPEG,
 * GIF or WebP. SECURITY: A14 an SVG is a document, and a URL tells its host that the card was opened.
 */
export function imageOf(given: string, alt: string): OwnImage | null {
  const data = given.startsWith('data:') ? given.slice(given.indexOf(',') + 1) : given
  if (data.length > MOST_CHARACTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null
  const raw = decodeBase64(data)
  const facts = raw === null ? null : factsOf(raw)
  if (raw === null || facts === null) return null
  const { width, height } = facts
  const isDrawable = width > 0 && height > 0 && Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS
  return isDrawable ? { kind: 'image', ...facts, data, bytes: raw.length, alt } : null
}

function factsOf(raw: string): Facts | null {
  if (raw.startsWith('\x89PNG\r\n\x1a\n') && raw.slice(12, 16) === 'IHDR')
    return { type: 'image/png', width: big(raw, 16, 4), height: big(raw, 20, 4) }
  if (/^GIF8[79]a/.test(raw)) return { type: 'image/gif', width: little(raw, 6, 2), height: little(raw, 8, 2) }
  if (raw.startsWith('RIFF') && raw.slice(8, 12) === 'WEBP') return webpFacts(raw)
  return raw.startsWith('\xff\xd8\xff') ? jpegFacts(raw) : null
}

function webpFacts(raw: string): Facts | null {
  const type = 'image/webp'
  switch (raw.slice(12, 16)) {
    case 'VP8 ':
      return { type, width: little(raw, 26, 2) & 0x3fff, height: little(raw, 28, 2) & 0x3fff }
    case 'VP8L': {
      const bits = little(raw, 21, 4)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: little(raw, 24, 3) + 1, height: little(raw, 27, 3) + 1 }
    default:
      return null
  }
}

/** The size is in the first frame header; the segments before it name their length. */
function jpegFacts(raw: string): Facts | null {
  for (let at = 2; at + 9 <= raw.length; ) {
    if (raw.charCodeAt(at) !== 0xff) return null
    const marker = raw.charCodeAt(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { type: 'image/jpeg', width: big(raw, at + 7, 2), height: big(raw, at + 5, 2) }
    at += marker === 0xff ? 1 : 2 + Math.max(2, big(raw, at + 2, 2))
  }
  return null
}

function big(raw: string, at: number, length: number): number {
  let value = 0
  for (let one = 0; one < length; one += 1) value = value * 256 + (raw.charCodeAt(at + one) || 0)
  return value
}

function little(raw: string, at: number, length: number): number {
  let value = 0
  for (let one = length - 1; one >= 0; one -= 1) value = value * 256 + (raw.charCodeAt(at + one) || 0)
  return value
}
