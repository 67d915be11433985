/** Light, dark, or as the system says; and how to ask for each. */
export const THEMES = [
  ['system', 'Theme as the system has it'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const

/** One of `THEMES`. */
export type Theme = (typeof THEMES)[number][0]

const KEY = 'countersign-theme'

/** What the person chose in this browser. */
export function storedTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Puts a theme on the page, and keeps it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme']
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset['theme'] = theme
    localStorage.setItem(KEY, theme)
  }
}
