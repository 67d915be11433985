import type { AgentTool } from './definition/agent-tool.ts'
import { executeCommandTool } from './execute-command.ts'
import { applyDiffTool } from './files/apply-diff.ts'
import { createDirectoryTool } from './files/create-directory.ts'
import { deleteFileTool } from './files/delete-file.ts'
import { editFileTool } from './files/edit-file.ts'
import { listDirectoryTool } from './files/list-directory.ts'
import { moveFileTool } from './files/move-file.ts'
import { readFileTool } from './files/read-file.ts'
import { writeFileTool } from './files/write-file.ts'
import { searchTool } from './search/search-files.ts'
import { fetchUrlTool } from './web/fetch-url.ts'

/** Every tool the agent has by itself, in the order a model is told of them. */
export const BUILTIN_TOOLS: readonly AgentTool[] = [
  readFileTool,
  listDirectoryTool,
  searchTool,
  writeFileTool,
  editFileTool,
  applyDiffTool,
  moveFileTool,
  deleteFileTool,
  createDirectoryTool,
  executeCommandTool,
  fetchUrlTool,
]
