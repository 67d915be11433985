import type { SafeText } from '@countersign/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Highlight } from '../card/preview/diff.ts'
import { type CodeSpans, type Highlighter, openHighlighter } from './highlighter.ts'

let shared: Highlighter | null = null

/** Syntax highlighting that arrives after the first frame, without changing the layout. */
export function useHighlight(isWanted: boolean): Highlight | undefined {
  const [found, setFound] = useState<ReadonlyMap<string, CodeSpans | null>>(new Map())
  const missing = useRef(new Map<string, { readonly path: string; readonly lines: readonly SafeText[] }>())
  const highlight = useMemo((): Highlight | undefined => {
    if (!isWanted) return undefined
    return (path, lines) => {
      const key = `${path}\0${lines.join('\n')}`
      const known = found.get(key)
      if (known === undefined) missing.current.set(key, { path, lines })
      return known ?? null
    }
  }, [isWanted, found])
  useEffect(() => {
    const asked = [...missing.current]
    missing.current.clear()
    if (asked.length === 0) return
    shared ??= openHighlighter()
    const colours = shared
    void Promise.all(
      asked.map(async ([key, { path, lines }]) => [key, await colours.spans(path, lines)] as const),
    ).then((answers) => setFound((before) => new Map([...before, ...answers])))
  })
  return highlight
}
