const KEY = 'countersign-keys'

/** Whether single keys act on the page: letters and `?`. People who dictate, or whose keyboard is not theirs, turn them off. */
export function wantsSingleKeys(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

/** Keeps the choice, and takes the keys off the buttons where they do nothing. */
export function applySingleKeys(on: boolean): void {
  if (on) {
    delete document.documentElement.dataset['keys']
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset['keys'] = 'off'
    localStorage.setItem(KEY, 'off')
  }
}
