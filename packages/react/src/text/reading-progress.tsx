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

/** What must be seen before an approval: hidden secrets, and the ends of folds, of the preview and of the card. */
const THINGS = ['secret', 'fold', 'preview', 'end'] as const
type Thing = (typeof THINGS)[number]

interface Reading {
  subscribe(listener: () => void): () => void
  unseen(): string
  add(id: string, thing: Thing): () => void
  see(id: string): void
  /** Counts how often reading started over. */
  round(): number
  /** Secrets were revealed: everything else must be seen again, with them. */
  startOver(): void
}

function createReading(): Reading {
  const listeners = new Set<() => void>()
  const things = new Map<string, Thing>()
  const seen = new Set<string>()
  let text = ''
  let rounds = 0
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
    round: () => rounds,
    startOver() {
      rounds += 1
      for (const listener of listeners) listener()
    },
  }
}

const ReadingContext = createContext<Reading | null>(null)

/** Tracks what was read of one request. Pass the request digest as `key`, so that a new request starts unread. */
export function ReadingProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [reading] = useState(createReading)
  return <ReadingContext value={reading}>{children}</ReadingContext>
}

/** Content that need not be read, such as details that repeat the arguments. */
export function OptionalReading({ children }: { readonly children: ReactNode }): ReactNode {
  return <ReadingContext value={null}>{children}</ReadingContext>
}

/** What must still be read before an approval, in words; null if nothing. SECURITY: A14 */
export function useUnread(must: RequiredReading): string | null {
  const reading = useContext(ReadingContext)
  const subscribe = useCallback((listener: () => void) => reading?.subscribe(listener) ?? (() => {}), [reading])
  const current = (): string => reading?.unseen() ?? ''
  const unseen = useSyncExternalStore(subscribe, current, current)
  const [secrets = 0, folds = 0, previews = 0, ends = 0] = unseen.split(' ').map(Number)
  if (must === 'nothing') return null
  if (secrets > 0) return 'Reveal the hidden secrets first.'
  if (must === 'secrets') return null
  if (folds > 0) return 'Expand the hidden rows and read to the end first.'
  if (previews > 0 && ends === 0) return 'Scroll back and read the preview to its end first.'
  return previews > 0 || (must === 'everything' && ends > 0) ? 'Read to the end first.' : null
}

/** Requires that hidden secrets are revealed, and returns the function to call when they are. SECURITY: A14 */
export function useRequiredReveal(wanted: boolean): () => void {
  const reading = useContext(ReadingContext)
  const id = useId()
  useEffect(() => (wanted ? reading?.add(id, 'secret') : undefined), [reading, id, wanted])
  return useCallback(() => {
    reading?.see(id)
    reading?.startOver()
  }, [reading, id])
}

/** A ref for the last element of required content, which counts as read once it was visible. SECURITY: A14 */
export function useRequiredReading(thing: Exclude<Thing, 'secret'>, wanted = true): RefCallback<Element> {
  const reading = useContext(ReadingContext)
  const subscribe = useCallback((listener: () => void) => reading?.subscribe(listener) ?? (() => {}), [reading])
  const round = (): number => reading?.round() ?? 0
  const id = `${useId()} ${useSyncExternalStore(subscribe, round, round)}`
  useEffect(() => (wanted ? reading?.add(id, thing) : undefined), [reading, id, thing, wanted])
  return useCallback(
    (element: Element | null) => {
      if (element === null || reading === null) return
      return whenVisible(element, () => reading.see(id))
    },
    [reading, id],
  )
}

/**
 * Calls `see` when an element is visible above the sticky decision bar. The bar changes its height with its content and
 * when a phone is turned.
 */
function whenVisible(element: Element, see: () => void): () => void {
  let observer: IntersectionObserver | undefined
  let bar: Element | null = null
  const resized = new ResizeObserver(watch)
  function watch(): void {
    const current = document.querySelector('.cs-bar')
    if (current !== null && current !== bar) resized.observe(current)
    bar = current
    const covered = Math.ceil(bar?.getBoundingClientRect().height ?? 0)
    observer?.disconnect()
    observer = new IntersectionObserver(
      (found) => {
        if (found.some((one) => one.isIntersecting)) see()
      },
      { rootMargin: `0px 0px -${covered}px 0px` },
    )
    observer.observe(element)
  }
  watch()
  return () => {
    observer?.disconnect()
    resized.disconnect()
  }
}

/** Marks the end of the preview. */
export function EndOfPreview(): ReactNode {
  const ref = useRequiredReading('preview')
  return <div ref={ref} className="cs-preview-end" aria-hidden="true" />
}

/** Marks the end of the card. */
export function EndOfCard(): ReactNode {
  const ref = useRequiredReading('end')
  return <div ref={ref} className="cs-end" aria-hidden="true" />
}
