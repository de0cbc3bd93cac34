//! Functions of many rows, and functions that make rows.

use super::record::Kind::Any;
use super::record::{Arguments, Classes, Function, ResultType, Volatility};

pub static COUNT: Function = Function::aggregate(&["count"], Classes::all("udf.generic.GenericUDAFCount"));

pub static EXPLODE: Function = Function::table(&["explode"], Classes::all("udf.generic.GenericUDTFExplode"));

pub static MAX: Function = Function {
    names: &["max"],
    classes: Classes::all("udf.generic.GenericUDAFMax"),
    arguments: Arguments::of(&[Any]),
    result: ResultType::OfArgument(0),
    ..Function::AGGREGATE
};

pub static MIN: Function = Function {
    names: &["min"],
    classes: Classes::all("udf.generic.GenericUDAFMin"),
    arguments: Arguments::of(&[Any]),
    result: ResultType::OfArgument(0),
    ..Function::AGGREGATE
};

pub static NTILE: Function = Function::window(&["ntile"], Classes::all("udf.generic.GenericUDAFNTile"));

pub static SUM: Function = Function::aggregate(&["sum"], Classes::all("udf.generic.GenericUDAFSum"));

pub(super) static ALL: &[&Function] = &[
    &Function::aggregate(&["$sum0"], Classes::all("udf.generic.GenericUDAFSumEmptyIsZero")),
    &Function::aggregate(
        &["approx_distinct"],
        Classes::since_hive4("udf.generic.GenericUDAFApproximateDistinct"),
    ),
    &Function::aggregate(&["avg"], Classes::all("udf.generic.GenericUDAFAverage")),
    &Function::aggregate(&["bloom_filter"], Classes::all("udf.generic.GenericUDAFBloomFilter")),
    &Function::aggregate(&["collect_list"], Classes::all("udf.generic.GenericUDAFCollectList")),
    &Function::aggregate(&["collect_set"], Classes::all("udf.generic.GenericUDAFCollectSet")),
    &Function::aggregate(
        &["compute_bit_vector_fm"],
        Classes::since_hive4("udf.generic.GenericUDAFComputeBitVectorFMSketch"),
    ),
    &Function::aggregate(
        &["compute_bit_vector_hll"],
        Classes::since_hive4("udf.generic.GenericUDAFComputeBitVectorHLL"),
    ),
    &Function::aggregate(
        &["compute_stats"],
        Classes([
            Some("udf.generic.GenericUDAFComputeStats"),
            Some("udf.generic.GenericUDAFComputeStats"),
            None,
        ]),
    ),
    &Function::aggregate(&["context_ngrams"], Classes::all("udf.generic.GenericUDAFContextNGrams")),
    &Function::aggregate(&["corr"], Classes::all("udf.generic.GenericUDAFCorrelation")),
    &COUNT,
    &Function::aggregate(&["covar_pop"], Classes::all("udf.generic.GenericUDAFCovariance")),
    &Function::aggregate(&["covar_samp"], Classes::all("udf.generic.GenericUDAFCovarianceSample")),
    &Function::window(&["cume_dist"], Classes::all("udf.generic.GenericUDAFCumeDist")),
    &Function::window(&["dense_rank"], Classes::all("udf.generic.GenericUDAFDenseRank")),
    &Function::aggregate(&["ewah_bitmap"], Classes([Some("udf.generic.GenericUDAFEWAHBitmap"), None, None])),
    &Function::aggregate(
        &["exception_in_vertex_udaf"],
        Classes::since_hive4("udf.generic.GenericUDAFExceptionInVertex"),
    ),
    &EXPLODE,
    &Function::window(&["first_value"], Classes::all("udf.generic.GenericUDAFFirstValue")),
    &Function {
        names: &["get_llap_splits"],
        classes: Classes::since_hive4("udf.generic.GenericUDTFGetSplits2"),
        volatility: Volatility::Volatile,
        ..Function::TABLE
    },
    &Function {
        names: &["get_splits"],
        classes: Classes::all("udf.generic.GenericUDTFGetSplits"),
        volatility: Volatility::Volatile,
        ..Function::TABLE
    },
    &Function {
        names: &["get_sql_schema"],
        classes: Classes::since_hive4("udf.generic.GenericUDTFGetSQLSchema"),
        volatility: Volatility::Volatile,
        ..Function::TABLE
    },
    &Function::aggregate(&["histogram_numeric"], Classes::all("udf.generic.GenericUDAFHistogramNumeric")),
    &Function::table(&["inline"], Classes::all("udf.generic.GenericUDTFInline")),
    &Function::table(&["json_tuple"], Classes::all("udf.generic.GenericUDTFJSONTuple")),
    &Function::window(&["lag"], Classes::all("udf.generic.GenericUDFLag")),
    &Function::window(&["last_value"], Classes::all("udf.generic.GenericUDAFLastValue")),
    &Function::window(&["lead"], Classes::all("udf.generic.GenericUDFLead")),
    &Function::table(&["matchpath"], Classes::all("udf.ptf.MatchPath$MatchPathResolver")),
    &MAX,
    &MIN,
    &Function::aggregate(&["ngrams"], Classes::all("udf.generic.GenericUDAFnGrams")),
    &Function::table(&["noop"], Classes::all("udf.ptf.Noop$NoopResolver")),
    &Function::table(&["noopstreaming"], Classes::all("udf.ptf.NoopStreaming$NoopStreamingResolver")),
    &Function::table(&["noopwithmap"], Classes::all("udf.ptf.NoopWithMap$NoopWithMapResolver")),
    &Function::table(
        &["noopwithmapstreaming"],
        Classes::all("udf.ptf.NoopWithMapStreaming$NoopWithMapStreamingResolver"),
    ),
    &NTILE,
    &Function::table(&["parse_url_tuple"], Classes::all("udf.generic.GenericUDTFParseUrlTuple")),
    &Function::window(&["percent_rank"], Classes::all("udf.generic.GenericUDAFPercentRank")),
    &Function::aggregate(&["percentile"], Classes::all("udf.UDAFPercentile")),
    &Function::aggregate(&["percentile_approx"], Classes::all("udf.generic.GenericUDAFPercentileApprox")),
    &Function::aggregate(&["percentile_cont"], Classes::since_hive4("udf.generic.GenericUDAFPercentileCont")),
    &Function::aggregate(&["percentile_disc"], Classes::since_hive4("udf.generic.GenericUDAFPercentileDisc")),
    &Function::table(&["posexplode"], Classes::all("udf.generic.GenericUDTFPosExplode")),
    &Function::window(&["rank"], Classes::all("udf.generic.GenericUDAFRank")),
    &Function::aggregate(&["regr_avgx"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrAvgX")),
    &Function::aggregate(&["regr_avgy"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrAvgY")),
    &Function::aggregate(
        &["regr_count"],
        Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrCount"),
    ),
    &Function::aggregate(
        &["regr_intercept"],
        Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrIntercept"),
    ),
    &Function::aggregate(&["regr_r2"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrR2")),
    &Function::aggregate(
        &["regr_slope"],
        Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrSlope"),
    ),
    &Function::aggregate(&["regr_sxx"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrSXX")),
    &Function::aggregate(&["regr_sxy"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrSXY")),
    &Function::aggregate(&["regr_syy"], Classes::all("udf.generic.GenericUDAFBinarySetFunctions$RegrSYY")),
    &Function::table(&["replicate_rows"], Classes::all("udf.generic.GenericUDTFReplicateRows")),
    &Function::window(&["row_number"], Classes::all("udf.generic.GenericUDAFRowNumber")),
    &Function::table(&["stack"], Classes::all("udf.generic.GenericUDTFStack")),
    &Function::aggregate(&["std", "stddev", "stddev_pop"], Classes::all("udf.generic.GenericUDAFStd")),
    &Function::aggregate(&["stddev_samp"], Classes::all("udf.generic.GenericUDAFStdSample")),
    &SUM,
    &Function::aggregate(&["var_pop", "variance"], Classes::all("udf.generic.GenericUDAFVariance")),
    &Function::aggregate(&["var_samp"], Classes::all("udf.generic.GenericUDAFVarianceSample")),
    &Function::table(
        &["windowingtablefunction"],
        Classes::all("udf.ptf.WindowingTableFunction$WindowingTableFunctionResolver"),
    ),
];
