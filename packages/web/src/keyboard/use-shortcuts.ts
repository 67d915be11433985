import { useEffect, useRef } from 'react'
import { usePreferences } from '../preferences/preferences.ts'
import { areShortcutsPaused } from './paused-shortcuts.tsx'

/** Actions by key. */
export type Keys = Readonly<Record<string, () => void>>

/** Elements that handle keys themselves. Checkboxes outside forms do not. */
const TYPED = 'input:not([type=checkbox]), form input, textarea, select, dialog, [role=dialog]'

/**
 * Single-key shortcuts. Ignored while typing, with a modifier, on key repeat, in a dialog and while paused. If turned
 * off, only Escape works.
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
