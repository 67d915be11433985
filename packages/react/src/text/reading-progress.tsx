import {
  createContext,
  type ReactNode,
  type RefCallback,
  useCallback,
  useContext,
  useEffect,
  useId,
  useState,
  useSyncExternalStore,
} from 'react'
import type { RequiredReading } from '../call/confirmation-level.ts'

/** What there is to be seen before one may approve: a fold to its end, the end of what would run, and of the whole. */
const THINGS = ['fold', 'picture', 'end'] as const
type Thing = (typeof THINGS)[number]

interface Reading {
  subscribe(listener: () => void): () => void
  unseen(): string
  add(id: string, thing: Thing): () => void
  see(id: string): void
}

function createReading(): Reading {
  const listeners = new Set<() => void>()
  const things = new Map<string, Thing>()
  const seen = new Set<string>()
  let text = ''
  const changed = (): void => {
    const left = [...things].filter(([id]) => !seen.has(id)).map(([, thing]) => thing)
    const next = THINGS.map((thing) => left.filter((one) => one === thing).length).join(' ')
    if (next === text) return
    text = next
    for (const listener of listeners) listener()
  }
  changed()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    unseen: () => text,
    add(id, thing) {
      things.set(id, thing)
      changed()
      return () => {
        things.delete(id)
        changed()
      }
    },
    see(id) {
      seen.add(id)
      changed()
    },
  }
}

const ReadingContext = createContext<Reading | null>(null)

/** Keeps count of what of one request was seen. Give it the request's digest as `key`, so that a new one starts anew. */
export function ReadingProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [reading] = useState(createReading)
  return <ReadingContext value={reading}>{children}</ReadingContext>
}

/** What stands in here a second time need not be read again: details that repeat the arguments. */
export function OptionalReading({ children }: { readonly children: ReactNode }): ReactNode {
  return <ReadingContext value={null}>{children}</ReadingContext>
}

/** What must still be seen before one may approve, in words; null when nothing. SECURITY: A14 */
export function useUnread(must: RequiredReading): string | null {
  const reading = useContext(ReadingContext)
  const subscribe = useCallback((listener: () => void) => reading?.subscribe(listener) ?? (() => {}), [reading])
  const current = (): string => reading?.unseen() ?? ''
  const unseen = useSyncExternalStore(subscribe, current, current)
  const [folds = 0, pictures = 0, ends = 0] = unseen.split(' ').map(Number)
  if (must === 'nothing') return null
  if (folds > 0) return 'Open what is folded and read it to its end first.'
  return pictures > 0 || (must === 'everything' && ends > 0) ? 'Read to the end first.' : null
}

/** A ref for the last element of something that must be seen: it counts once it stands in the window. SECURITY: A14 */
export function useRequiredReading(thing: Thing, wanted = true): RefCallback<Element> {
  const reading = useContext(ReadingContext)
  const id = useId()
  useEffect(() => (wanted ? reading?.add(id, thing) : undefined), [reading, id, thing, wanted])
  return useCallback(
    (element: Element | null) => {
      if (element === null || reading === null) return
      // What lies behind the bar of buttons is in the window, and still nobody saw it.
      const bar = document.querySelector('.cs-bar')?.getBoundingClientRect().height ?? 0
      const observer = new IntersectionObserver(
        (found) => {
          if (found.some((one) => one.isIntersecting)) reading.see(id)
        },
        { rootMargin: `0px 0px -${Math.ceil(bar)}px 0px` },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [reading, id],
  )
}

/** Stands at the end of what would run. */
export function EndOfPreview(): ReactNode {
  const ref = useRequiredReading('picture')
  return <div ref={ref} className="cs-picture-end" aria-hidden="true" />
}

/** Stands at the end of what a request shows. */
export function EndOfCard(): ReactNode {
  const ref = useRequiredReading('end')
  return <div ref={ref} className="cs-end" aria-hidden="true" />
}
