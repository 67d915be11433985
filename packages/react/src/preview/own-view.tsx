import { assertNever, countedWords, imageWords, type OwnPart, type Preview, safeLines } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { JsonView, ValueView } from './arguments-view.tsx'
import { DiffView } from './diff-view.tsx'
import { Notes } from './notes.tsx'

/** A tool's own preview, part by part. */
export function OwnView({ preview }: { readonly preview: Extract<Preview, { kind: 'own' }> }): ReactNode {
  return (
    <Region className="cs-files" label="Preview">
      <Notes notes={preview.notes} />
      {preview.parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
        <PartView key={at} part={part} />
      ))}
    </Region>
  )
}

function PartView({ part }: { readonly part: OwnPart }): ReactNode {
  switch (part.kind) {
    case 'text':
      return <TextView text={part.text} />
    case 'diff':
      return <DiffView preview={part} />
    case 'table':
      return <TableView part={part} />
    case 'fields':
      return (
        <dl className="cs-fields">
          {part.fields.map(({ name, value }) => (
            <ValueView key={name} name={name} value={value} />
          ))}
        </dl>
      )
    case 'image':
      return <ImageView part={part} />
    case 'json':
      return <JsonView value={part.value} label="Preview as JSON" />
    default:
      return assertNever(part)
  }
}

function TextView({ text }: { readonly text: string }): ReactNode {
  const lines = useMemo(() => safeLines(text), [text])
  return <CodeBlock lines={lines} label="Preview text" />
}

function TableView({ part }: { readonly part: Extract<OwnPart, { kind: 'table' }> }): ReactNode {
  const { columns, rows, moreRows, moreColumns } = part
  const more = [
    ...(moreRows > 0 ? [`and ${countedWords(moreRows, 'more row')}`] : []),
    ...(moreColumns > 0 ? [`and ${countedWords(moreColumns, 'more column')}`] : []),
  ]
  return (
    <>
      <Region className="cs-table" label="Table">
        <table>
          {columns.length > 0 && (
            <thead>
              <tr>
                {columns.map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <th key={at} scope="col">
                    <SafeTextView text={name} />
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
              <tr key={at}>
                {row.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name
                  <td key={place}>
                    <SafeTextView text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Region>
      <Notes notes={more} />
    </>
  )
}

/** SECURITY: A14 bytes only, whose type and size core has read: nothing is loaded from anywhere. */
function ImageView({ part }: { readonly part: Extract<OwnPart, { kind: 'image' }> }): ReactNode {
  const { type, data, width, height, alt } = part
  const words = imageWords(part)
  return (
    <figure className="cs-image">
      <img src={`data:${type};base64,${data}`} width={width} height={height} alt={alt === '' ? words : alt} />
      <figcaption>
        <SafeTextView text={alt === '' ? words : `${alt} · ${words}`} />
      </figcaption>
    </figure>
  )
}
