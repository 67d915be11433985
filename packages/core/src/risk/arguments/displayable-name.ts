const SHOWABLE = /^[\w.:/@*+%~[\]-]{1,160}$/

/** Whether a word may be shown as a name: not an assignment, nor a URL with a password. */
export function isShowable(word: string): boolean {
  return SHOWABLE.test(word) && !/:[^/]*@|\/\/[^/]*@/.test(word)
}

/** A word as the target of a finding, where it may be shown. */
export function targetNamed(word: string | null | undefined): { readonly target?: string } {
  return typeof word === 'string' && isShowable(word) ? { target: word } : {}
}
