import type { Json } from '../../call/json/json.ts'
import type { DiffPreview } from './preview.ts'

/** A part of a tool's own preview. */
export type OwnPart =
  | { readonly kind: 'text'; readonly text: string }
  | DiffPreview
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
      /** Further rows and columns that are not in it. */
      readonly moreRows: number
      readonly moreColumns: number
    }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly value: Json }[] }
  | OwnImage
  | { readonly kind: 'json'; readonly value: Json }

/** An image as bytes: never a URL, never SVG. */
export interface OwnImage {
  readonly kind: 'image'
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  /** Base64. */
  readonly data: string
  readonly width: number
  readonly height: number
  readonly bytes: number
  /** What the tool says it shows; may be empty. */
  readonly alt: string
}

/** An image in words: `image/png, 640 × 480, 12 KB`. */
export function imageWords({ type, width, height, bytes }: Omit<OwnImage, 'data'>): string {
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`
  return `${type.slice('image/'.length).toUpperCase()} image, ${width} × ${height} pixels, ${size}`
}
