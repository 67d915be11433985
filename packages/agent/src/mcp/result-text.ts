import { sizeWords } from '@countersign/core'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { boundedText } from '../tools/definition/output-limit.ts'

/** What a server's tool answered, as text for the model. */
export function resultText({ content = [], structuredContent }: CallToolResult): string {
  const said = content.map(blockText).filter((text) => text !== '')
  if (said.length === 0 && structuredContent !== undefined) return boundedText(JSON.stringify(structuredContent))
  return said.length === 0 ? 'it ended and said nothing' : boundedText(said.join('\n'))
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeWords(Math.floor((block.data.length * 3) / 4))}]`
    case 'resource_link':
      return `[resource ${block.uri}]`
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`
    default:
      return '[content of an unknown kind]'
  }
}
