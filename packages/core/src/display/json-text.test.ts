import { expect, it } from 'vitest'
import { jsonText } from './json-text.ts'

it.each([
  ['{"title":"Release","labels":["a"]}', { title: 'Release', labels: ['a'] }],
  ['{ "title": "a  b",\n "n": [1, null] }', { title: 'a  b', n: [1, null] }],
  ['[]', []],
])('reads %s', (text, value) => expect(jsonText(text)).toEqual(value))

it.each(['{"a":1,"a":2}', '[1.0]', '[12345678901234567890]', '{"\\u0061":1}', '"text"', '7', '{a: 1}', 'plain', ''])(
  'leaves %s as it is, which would be shown otherwise',
  (text) => expect(jsonText(text)).toBeUndefined(),
)
