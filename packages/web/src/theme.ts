/** Light, dark, or as the system says. */
export type Theme = 'system' | 'light' | 'dark'

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
