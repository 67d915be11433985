import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ReadingProvider } from '../text/reading-progress.tsx'
import { PlainArguments } from './arguments-view.tsx'

function drawn(args: Readonly<Record<string, string | number>>): string {
  const html = renderToStaticMarkup(createElement(ReadingProvider, null, createElement(PlainArguments, { args })))
  return html.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&#x27;', "'")
}

describe('arguments without a preview', () => {
  it('show a command first, unquoted', () => {
    const html = drawn({ cwd: '/srv', command: 'echo "hi" > a\nls' })
    expect(html).toContain('echo "hi" > a')
    expect(html).not.toContain('\\"hi\\"')
    expect(html.indexOf('echo')).toBeLessThan(html.indexOf('/srv'))
  })

  it('show a JSON text as JSON', () => {
    const html = drawn({ body: '{"title":"Release"}' })
    expect(html).toContain('JSON text')
    expect(html).toContain('cs-json-key')
    expect(html).not.toContain('\\"title\\"')
  })

  it('mark hidden characters and include every argument', () => {
    const html = drawn({ script: 'ls\u202e', note: 'x', count: 3 })
    expect(html).toContain('U+202E')
    for (const one of ['note', '"x"', 'count', '3']) expect(html).toContain(one)
  })
})
