import { useEffect, useRef } from 'react'
import { usePreferences } from '../preferences/preferences.ts'
import { areShortcutsPaused } from './paused-shortcuts.tsx'

/** What each key does; a key that is not named does nothing. */
export type Keys = Readonly<Record<string, () => void>>

/** Where keys are somebody's own. A checkbox takes no letters: outside of a form, the keys go on working beside it. */
const TYPED = 'input:not([type=checkbox]), form input, textarea, select, dialog, [role=dialog]'

/**
 * Single keys of the page. They rest while a text is typed, a modifier is down, a key repeats, or a dialog is open; and
 * after the field that a text was typed into was taken away, until the person says so. Whoever turned them off has
 * Escape alone.
 */
export function useShortcuts(keys: Keys): void {
  const { keys: areWanted } = usePreferences()
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (areShortcutsPaused()) return
      if (event.target instanceof Element && event.target.closest(TYPED)) return
      if (!areWanted && event.key !== 'Escape') return
      const act = current.current[event.key.toLowerCase()]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [areWanted])
}
