/**
 * A name in lower case. Names of programs nearly always are already, and are asked for many times in one assessment:
 * looking first is several times faster than making the same text again.
 */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 65 && code <= 90) || code > 127) return name.toLowerCase()
  }
  return name
}
