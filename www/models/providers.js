// The providers as src/seat/provider.rs knows them (a test holds both together), and what the page adds for people: the
// model that a first try takes, where the provider offers it.

const cloud = (id, name, baseUrl, keyPage, first = null) => ({ id, name, baseUrl, keyPage, first, local: false });
const local = (id, name, baseUrl) => ({ id, name, baseUrl, keyPage: "", first: null, local: true });

export const PROVIDERS = [
  cloud("openai", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys", /^gpt-[\d.]+o?-mini$/),
  cloud("openai_responses", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys", /^gpt-[\d.]+o?-mini$/),
  cloud("anthropic", "Anthropic", "https://api.anthropic.com/v1", "console.anthropic.com/settings/keys", /haiku/),
  cloud("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", "aistudio.google.com/apikey", /^gemini-[\d.]+-flash$/),
  cloud("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai/keys", /^openrouter\/auto$/),
  cloud("mistral", "Mistral", "https://api.mistral.ai/v1", "console.mistral.ai/api-keys", /^mistral-small-latest$/),
  cloud("groq", "Groq", "https://api.groq.com/openai/v1", "console.groq.com/keys", /^llama-3\.\d-8b/),
  cloud("deepseek", "DeepSeek", "https://api.deepseek.com", "platform.deepseek.com/api_keys", /^deepseek-chat$/),
  cloud("xai", "xAI", "https://api.x.ai/v1", "console.x.ai", /^grok-\d+-mini/),
  cloud("together", "Together", "https://api.together.xyz/v1", "api.together.ai/settings/api-keys", /instruct-turbo/i),
  local("ollama", "Ollama", "http://127.0.0.1:11434"),
  local("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
  local("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
  local("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
  { id: "compatible", name: "", baseUrl: "", keyPage: "", first: null, local: false },
];

export const provider = (id) => PROVIDERS.find((one) => one.id === id) ?? null;

/** The provider whose usual address has this origin; null where none is known by it. */
export const providerAt = (origin) => PROVIDERS.find(({ baseUrl }) => baseUrl && new URL(baseUrl).origin === origin.replace(/^http:\/\/localhost(?=:|$)/, "http://127.0.0.1")) ?? null;

/** Which of the offered models a first try takes. */
export function firstModel(id, models) {
  const wanted = provider(id)?.first;
  return (wanted && models.find((model) => wanted.test(model.id)))?.id ?? models[0]?.id ?? "";
}
