import type { AgentTool } from './agent-tool.ts'
import { applyDiffTool } from './apply-diff.ts'
import { createDirectoryTool } from './create-directory.ts'
import { deleteFileTool } from './delete-file.ts'
import { editFileTool } from './edit-file.ts'
import { executeCommandTool } from './execute-command.ts'
import { fetchUrlTool } from './fetch-url.ts'
import { listDirectoryTool } from './list-directory.ts'
import { moveFileTool } from './move-file.ts'
import { readFileTool } from './read-file.ts'
import { searchTool } from './search-files.ts'
import { writeFileTool } from './write-file.ts'

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
