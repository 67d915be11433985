const STARTS =
  /^\s*(?:return|await)\s+(?:document|window|localStorage|sessionStorage|navigator|location)\.[\w.]{1,200}\(/
const CALLS = /^\s*(?:document|window|localStorage|sessionStorage|navigator)\.[\w.]{1,200}\(\s*[^\s)]/

/**
 * Whether a text is code for a page and nothing that a shell would run. SECURITY: A13 only one line counts, and only in
 * forms that a shell refuses as a whole: of several lines a shell runs the first before it meets the odd one.
 */
export function isPageCode(text: string): boolean {
  if (/[\n\r`$;&|]/.test(text)) return false
  return STARTS.test(text) || CALLS.test(text)
}
