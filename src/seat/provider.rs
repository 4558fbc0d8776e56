//! Whom the model of a seat is asked at: the providers by name, where each is found by default, and
//! what settings every format knows. What they speak stands in [`crate::providers`].

use serde::{Deserialize, Serialize};

/// Who runs a model. Ids are stored, so they are part of the data format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI by Chat Completions.
    OpenAi,
    /// OpenAI by Responses.
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    /// Anthropic by Messages.
    Anthropic,
    /// Google Gemini by generateContent.
    Gemini,
    /// OpenRouter.
    OpenRouter,
    /// Mistral.
    Mistral,
    /// Groq.
    Groq,
    /// `DeepSeek`.
    DeepSeek,
    /// xAI.
    Xai,
    /// Together.
    Together,
    /// Cerebras.
    Cerebras,
    /// Cohere, by its compatible address.
    Cohere,
    /// Fireworks.
    Fireworks,
    /// Perplexity.
    Perplexity,
    /// Moonshot.
    Moonshot,
    /// Alibaba Cloud's Model Studio.
    Alibaba,
    /// Z.ai.
    Zai,
    /// `DeepInfra`.
    DeepInfra,
    /// Hugging Face's router.
    HuggingFace,
    /// `MiniMax`.
    MiniMax,
    /// A resource of Azure OpenAI, at an address of its own.
    Azure,
    /// A project at Google Cloud's Vertex AI, at an address of its own.
    Vertex,
    /// A region of Amazon Bedrock, or a gateway to it, at an address of its own.
    Bedrock,
    /// Ollama on this machine, by its own format.
    Ollama,
    /// LM Studio on this machine.
    LmStudio,
    /// The llama.cpp server on this machine.
    LlamaCpp,
    /// A vLLM server.
    Vllm,
    /// Anything else that speaks Chat Completions.
    Compatible,
}

struct Profile {
    provider: Provider,
    id: &'static str,
    name: &'static str,
    base_url: &'static str,
    key_page: &'static str,
}

const fn profile(
    provider: Provider,
    id: &'static str,
    name: &'static str,
    base_url: &'static str,
    key_page: &'static str,
) -> Profile {
    Profile {
        provider,
        id,
        name,
        base_url,
        key_page,
    }
}

/// In the order of the enum.
#[rustfmt::skip]
const PROFILES: [Profile; 28] = [
    profile(Provider::OpenAi, "openai", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
    profile(Provider::OpenAiResponses, "openai_responses", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
    profile(Provider::Anthropic, "anthropic", "Anthropic", "https://api.anthropic.com/v1", "console.anthropic.com/settings/keys"),
    profile(Provider::Gemini, "gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", "aistudio.google.com/apikey"),
    profile(Provider::OpenRouter, "openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai/keys"),
    profile(Provider::Mistral, "mistral", "Mistral", "https://api.mistral.ai/v1", "console.mistral.ai/api-keys"),
    profile(Provider::Groq, "groq", "Groq", "https://api.groq.com/openai/v1", "console.groq.com/keys"),
    profile(Provider::DeepSeek, "deepseek", "DeepSeek", "https://api.deepseek.com", "platform.deepseek.com/api_keys"),
    profile(Provider::Xai, "xai", "xAI", "https://api.x.ai/v1", "console.x.ai"),
    profile(Provider::Together, "together", "Together", "https://api.together.xyz/v1", "api.together.ai/settings/api-keys"),
    profile(Provider::Cerebras, "cerebras", "Cerebras", "https://api.cerebras.ai/v1", "cloud.cerebras.ai"),
    profile(Provider::Cohere, "cohere", "Cohere", "https://api.cohere.ai/compatibility/v1", "dashboard.cohere.com/api-keys"),
    profile(Provider::Fireworks, "fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "app.fireworks.ai/settings/users/api-keys"),
    profile(Provider::Perplexity, "perplexity", "Perplexity", "https://api.perplexity.ai", "perplexity.ai/settings/api"),
    profile(Provider::Moonshot, "moonshot", "Moonshot", "https://api.moonshot.ai/v1", "platform.moonshot.ai/console/api-keys"),
    profile(Provider::Alibaba, "alibaba", "Alibaba Cloud", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "modelstudio.console.alibabacloud.com"),
    profile(Provider::Zai, "zai", "Z.ai", "https://api.z.ai/api/paas/v4", "z.ai/manage-apikey/apikey-list"),
    profile(Provider::DeepInfra, "deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "deepinfra.com/dash/api_keys"),
    profile(Provider::HuggingFace, "huggingface", "Hugging Face", "https://router.huggingface.co/v1", "huggingface.co/settings/tokens"),
    profile(Provider::MiniMax, "minimax", "MiniMax", "https://api.minimax.io/v1", "platform.minimax.io/user-center/basic-information/interface-key"),
    profile(Provider::Azure, "azure", "Azure OpenAI", "", "portal.azure.com"),
    profile(Provider::Vertex, "vertex", "Google Vertex AI", "", "console.cloud.google.com/vertex-ai"),
    profile(Provider::Bedrock, "bedrock", "Amazon Bedrock", "", "console.aws.amazon.com/bedrock/home#/api-keys"),
    profile(Provider::Ollama, "ollama", "Ollama", "http://127.0.0.1:11434", ""),
    profile(Provider::LmStudio, "lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", ""),
    profile(Provider::LlamaCpp, "llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", ""),
    profile(Provider::Vllm, "vllm", "vLLM", "http://127.0.0.1:8000/v1", ""),
    profile(Provider::Compatible, "compatible", "", "", ""),
];

impl Provider {
    /// All of them with their ids.
    pub const ALL: [(&'static str, Self); PROFILES.len()] = {
        let mut all = [("", Self::Compatible); PROFILES.len()];
        let mut at = 0;
        while at < PROFILES.len() {
            all[at] = (PROFILES[at].id, PROFILES[at].provider);
            at += 1;
        }
        all
    };

    /// The provider whose default address has this origin, as browsers write it; of two, the first.
    /// Servers on this machine are known by their port. Everything else is `Compatible`.
    #[must_use]
    pub fn by_origin(origin: &str) -> Self {
        const HERE: &str = "http://127.0.0.1";
        let port = ["http://localhost", "http://[::1]", HERE]
            .iter()
            .find_map(|host| origin.strip_prefix(host));
        let is_its = |profile: &&Profile| {
            let base = profile.base_url;
            let rest = match port {
                Some(port) => base.strip_prefix(HERE).and_then(|rest| rest.strip_prefix(port)),
                None => base.strip_prefix(origin),
            };
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut placed = PROFILES.iter().filter(|profile| !profile.base_url.is_empty());
        let found = placed.find(is_its);
        found.map_or(Self::Compatible, |profile| profile.provider)
    }

    /// The stored name, e.g. `openai_responses`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.profile().id
    }

    /// The name for people; empty for `Compatible`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// Where it is found unless told otherwise; empty for `Compatible`.
    #[must_use]
    pub fn base_url(self) -> &'static str {
        self.profile().base_url
    }

    /// The page on which keys are made, without the scheme; empty where there is none.
    #[must_use]
    pub fn key_page(self) -> &'static str {
        self.profile().key_page
    }

    fn profile(self) -> &'static Profile {
        &PROFILES[self as usize]
    }
}

/// How much a model is to think before it answers. What a model makes of it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    XHigh,
    Max,
}

impl Effort {
    /// All of them with their names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("minimal", Self::Minimal),
        ("low", Self::Low),
        ("medium", Self::Medium),
        ("high", Self::High),
        ("xhigh", Self::XHigh),
        ("max", Self::Max),
    ];

    /// The stored name, e.g. `low`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_ids_are_the_stored_names() {
        for (index, (id, provider)) in Provider::ALL.into_iter().enumerate() {
            assert_eq!(provider as usize, index, "{id}");
            assert_eq!(provider.id(), id);
            assert_eq!(serde_json::to_string(&provider).unwrap(), format!("\"{id}\""));
        }
        for (index, (name, effort)) in Effort::ALL.iter().enumerate() {
            assert_eq!(*effort as usize, index);
            assert_eq!(serde_json::to_string(effort).unwrap(), format!("\"{name}\""));
        }
    }

    #[test]
    fn origins_tell_the_provider() {
        for (origin, provider) in [
            ("https://api.openai.com", Provider::OpenAi),
            ("https://api.anthropic.com", Provider::Anthropic),
            ("https://generativelanguage.googleapis.com", Provider::Gemini),
            ("https://openrouter.ai", Provider::OpenRouter),
            ("https://api.x.ai", Provider::Xai),
            ("https://api.z.ai", Provider::Zai),
            ("https://router.huggingface.co", Provider::HuggingFace),
            ("http://localhost:11434", Provider::Ollama),
            ("http://[::1]:1234", Provider::LmStudio),
            ("http://127.0.0.1:8080", Provider::LlamaCpp),
            ("http://127.0.0.1:80", Provider::Compatible),
            ("http://127.0.0.1", Provider::Compatible),
            ("http://127.0.0.1:8000", Provider::Vllm),
            ("http://192.168.0.2:11434", Provider::Compatible),
            ("https://api.openai.co", Provider::Compatible),
            ("https://api.openai.com.example", Provider::Compatible),
            ("", Provider::Compatible),
        ] {
            assert_eq!(Provider::by_origin(origin), provider, "{origin}");
        }
    }
}
